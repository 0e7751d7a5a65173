import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { localStack } from './local-stack.ts';

/** Writes a GeoJSON file with one square per region, side by side. Returns its name. */
export async function mapFile(names: readonly string[]): Promise<string> {
  const { stateDir } = await localStack();
  const file = join(await mkdtemp(join(stateDir, 'map-')), 'regions.geojson');
  await writeFile(file, JSON.stringify(squares(names)));
  return file;
}

/** A GeoJSON FeatureCollection of the same. */
export function squares(names: readonly string[]) {
  const features = names.map((name, i) => ({
    type: 'Feature',
    properties: { name, internal: 'not for the page' },
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [i, 0],
          [i + 1, 0],
          [i + 1, 1],
          [i, 1],
          [i, 0],
        ],
      ],
    },
  }));
  return { type: 'FeatureCollection', features };
}
