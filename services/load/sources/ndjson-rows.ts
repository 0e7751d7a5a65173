import type { Readable } from 'node:stream';
import { HeaderError } from '../../results/columns/file-plan.ts';
import {
  isObject,
  type JsonLine,
  type JsonObject,
  parseLine,
} from '../../results/json/json-lines.ts';
import { readLines } from '../../results/json/read-lines.ts';
import { byLine, type RejectedRow } from '../../results/rows/scanned-rows.ts';
import type { SourceReader, SourceRow } from './source-rows.ts';

/**
 * Reads NDJSON: one object per line. The columns are the keys in the first 4 MiB, those of nested
 * objects with a dot: `client.Geo.City`. `isRequired`: whether a key that first appears later must
 * not be ignored.
 */
export async function readNdjsonRows(
  content: Readable,
  reader: SourceReader,
  isRequired: (key: string) => boolean,
): Promise<void> {
  let cells: Cells | undefined;
  let lines: JsonLine[] = [];
  let unreadable: RejectedRow[] = [];
  await readLines(content, {
    onLine: (block, start, end, line) => {
      const parsed = parseLine(block.subarray(start, end), line);
      if (parsed === undefined) return;
      if ('reason' in parsed) unreadable.push(parsed);
      else lines.push(parsed);
    },
    onPart: async () => {
      cells ??= openCells(lines, unreadable, reader);
      const { rows, late } = cells.read(lines, isRequired);
      await reader.onRows({ rows, unreadable: [...unreadable, ...late].sort(byLine) });
      [lines, unreadable] = [[], []];
    },
  });
}

const maxColumns = 5000;

function openCells(
  lines: readonly JsonLine[],
  [unreadable]: readonly RejectedRow[],
  reader: SourceReader,
): Cells {
  const paths = new Map<string, readonly string[]>();
  for (const { object } of lines) jsonPaths(object, paths, maxColumns);
  if (paths.size === 0) {
    throw new HeaderError(
      unreadable === undefined
        ? 'the file is empty'
        : `the file has no JSON objects: line ${unreadable.line}: ${unreadable.reason}`,
    );
  }
  const columns = [...paths.keys()];
  return new Cells(columns, reader.onColumns(columns), paths);
}

/** The cells of the columns that a mapping reads. */
class Cells {
  readonly #known: ReadonlySet<string>;
  readonly #paths: readonly (readonly string[] | undefined)[];

  constructor(
    columns: readonly string[],
    read: readonly string[],
    paths: ReadonlyMap<string, readonly string[]>,
  ) {
    const wanted = new Set(read);
    const later = read.filter((name) => !paths.has(name));
    this.#known = new Set([...columns, ...later].map((name) => name.split('.', 1)[0] ?? ''));
    this.#paths = [...columns, ...later].map((name) =>
      wanted.has(name) ? (paths.get(name) ?? name.split('.')) : undefined,
    );
  }

  read(
    lines: readonly JsonLine[],
    isRequired: (key: string) => boolean,
  ): { readonly rows: readonly SourceRow[]; readonly late: readonly RejectedRow[] } {
    const rows: SourceRow[] = [];
    const late: RejectedRow[] = [];
    for (const { line, text, object } of lines) {
      const key = this.#lateKey(object, isRequired);
      if (key === undefined) {
        const cells = this.#paths.map((path) => path && jsonCell(object, path));
        rows.push({ line, row: line, cells, text });
      } else {
        late.push({ line, ...lateReason(key), value: '', text: Buffer.from(text) });
      }
    }
    return { rows, late };
  }

  #lateKey(object: JsonObject, isRequired: (key: string) => boolean): string | undefined {
    for (const key in object) if (!this.#known.has(key) && isRequired(key)) return key;
    return undefined;
  }
}

function lateReason(key: string): Pick<RejectedRow, 'reason' | 'column'> {
  const reason = `${key} is not in the first rows of the file: add --map "${key}=optional(${key})"`;
  return { reason, column: key };
}

/** Adds the paths of all values that are not objects: `client.Geo.City` → client, Geo, City. */
function jsonPaths(
  object: JsonObject,
  paths: Map<string, readonly string[]>,
  maxPaths: number,
  parent: readonly string[] = [],
): void {
  for (const [key, value] of Object.entries(object)) {
    const path = [...parent, key];
    if (isObject(value) && path.length < maxDepth) {
      jsonPaths(value, paths, maxPaths, path);
      continue;
    }
    const name = path.join('.');
    if (!paths.has(name)) paths.set(name, path);
    if (paths.size > maxPaths) throw new HeaderError(`the rows have more than ${maxPaths} keys`);
  }
}

const maxDepth = 20;

/** The text of the value at a path; '' if it is missing or null. A list is its JSON text. */
function jsonCell(object: JsonObject, path: readonly string[]): string {
  let value: unknown = object;
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return '';
    value = value[key];
  }
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
