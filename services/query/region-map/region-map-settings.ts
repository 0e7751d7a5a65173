import { setting } from '../../shared/config/setting.ts';
import type { SettingValues } from '../../shared/config/read-settings.ts';
import { readRegionMap } from './read-region-map.ts';

export const regionMapSettings = {
  explorerMapFile: setting.text(
    'EXPLORER_MAP_FILE',
    'GeoJSON file of regions for the map of /explorer, readable without a token; empty: no map.',
    { fallback: '' },
  ),
  explorerMapField: setting.text(
    'EXPLORER_MAP_FIELD',
    'Field whose values are the names of the regions, as in GET /splits, such as `region`; required with a map.',
    { fallback: '' },
  ),
  explorerMapProperty: setting.text(
    'EXPLORER_MAP_PROPERTY',
    "Property of a feature of the map that has the region's name.",
    { fallback: 'name' },
  ),
};

/** A file that cannot be used is a problem of the settings: the service does not start. */
export function regionMapProblem(
  values: Partial<SettingValues<typeof regionMapSettings>>,
): string | undefined {
  const { explorerMapFile = '', explorerMapField = '', explorerMapProperty = '' } = values;
  if (explorerMapFile === '') return undefined;
  if (explorerMapField === '') {
    return 'EXPLORER_MAP_FIELD is not set: EXPLORER_MAP_FILE needs the field whose values are the names of the regions';
  }
  try {
    readRegionMap({ explorerMapFile, explorerMapProperty });
    return undefined;
  } catch (error) {
    return `EXPLORER_MAP_FILE ${(error as Error).message}`;
  }
}
