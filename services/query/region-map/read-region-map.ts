import { readFileSync, statSync } from 'node:fs';
import { parseRegionMap, type RegionMap } from './parse-region-map.ts';

interface MapFile {
  readonly explorerMapFile: string;
  readonly explorerMapProperty: string;
}

/** Browsers load and draw the whole file. */
const maxMapBytes = 5 * 1024 * 1024;

/** Reads the map of the settings. Throws an Error whose message completes "EXPLORER_MAP_FILE …". */
export function readRegionMap({ explorerMapFile, explorerMapProperty }: MapFile): RegionMap {
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
