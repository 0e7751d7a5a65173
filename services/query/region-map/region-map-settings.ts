import { setting } from '../../shared/config/setting.ts';
import type { SettingValues } from '../../shared/config/read-settings.ts';
import { readFileSync, statSync } from 'node:fs';
import { parseRegionMap, type RegionMap } from './parse-region-map.ts';
import type { FieldMap } from './region-maps.ts';

export const regionMapSettings = {
  explorerMapFile: setting.text(
    'EXPLORER_MAP_FILE',
    'GeoJSON file of regions for the map of /explorer, for organisations that have no map of their own (`PUT /region-map`); empty: none.',
  ),
  explorerMapField: setting.text(
    'EXPLORER_MAP_FIELD',
    'Field whose values are the names of the regions, as in GET /splits, such as `region`; required with a map.',
  ),
  explorerMapProperty: setting.text(
    'EXPLORER_MAP_PROPERTY',
    "Property of a feature of the map that has the region's name.",
    'name',
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

interface MapFile {
  readonly explorerMapFile: string;
  readonly explorerMapProperty: string;
}

/** The map of the settings; undefined if there is none. */
export function regionMapOf(
  settings: MapFile & { readonly explorerMapField: string },
): FieldMap | undefined {
  const { explorerMapFile, explorerMapField: field } = settings;
  return explorerMapFile === '' ? undefined : { field, ...readRegionMap(settings) };
}

/** Browsers load and draw the whole map. */
export const maxMapBytes = 5 * 1024 * 1024;

/** Reads the map of the settings. Throws an Error whose message completes "EXPLORER_MAP_FILE …". */
function readRegionMap({ explorerMapFile, explorerMapProperty }: MapFile): RegionMap {
  const text = readText(explorerMapFile);
  let content: unknown;
  try {
    // ogr2ogr on Windows writes a byte order mark.
    content = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Error(`is not JSON: ${explorerMapFile} (${(error as Error).message})`, {
      cause: error,
    });
  }
  return parseRegionMap(content, explorerMapProperty);
}

function readText(path: string): string {
  let size: number;
  try {
    ({ size } = statSync(path));
    if (size <= maxMapBytes) return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new Error(`cannot be read: ${path} (${code})`, { cause: error });
  }
  throw new Error(
    `must have at most ${maxMapBytes} bytes, not ${size}: simplify its borders, for example with mapshaper -simplify`,
  );
}
