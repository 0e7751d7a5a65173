import { filledColumns } from '../../results/columns/file-plan.ts';
import type { JsonLine, JsonObject } from '../../results/json/json-lines.ts';
import { GrowingBytes } from '../../results/rows/growing-bytes.ts';
import type { RejectedRow } from '../../results/rows/scanned-rows.ts';
import { JsonRowCopier } from './json-row-copier.ts';

/**
 * Turns JSON objects into CSV lines for the scanner, which checks their fields as those of a CSV file. The lines have
 * all columns of the test, so that requests with different keys can be inserted together.
 */
export class JsonText {
  readonly columns: readonly string[];
  readonly #testColumns: ReadonlySet<string>;
  readonly #places: ReadonlyMap<string, number>;
  readonly #text = new GrowingBytes();
  /** The keys of the last object that was parsed. */
  #keys: readonly string[] = [];
  /** Copies objects with these keys; created when one may be copied. */
  #copier: JsonRowCopier | undefined;
  #rejected: RejectedRow[] = [];
  /** The next line of the text. */
  #line = 1;

  /** `first`: the first rows. They decide which of the columns that netpanel can fill are in the lines. */
  constructor(testColumns: readonly string[], first: readonly JsonLine[]) {
    this.#testColumns = new Set(testColumns);
    const keys = new Set(first.flatMap(({ object }) => Object.keys(object).map(lower)));
    const isUsed = (name: string) =>
      name === 'unit_id' ? !keys.has('agent_id') || keys.has(name) : keys.has(name);
    this.columns = [...this.#testColumns].filter(
      (name) => !filledColumns.has(name) || isUsed(name),
    );
    this.#places = new Map(this.columns.map((name, place) => [name, place]));
  }

  /** Adds an object that was parsed, at its line number. */
  add({ line, object }: JsonLine): void {
    const fields = this.#fields(object);
    if (typeof fields !== 'string') {
      this.#rejected.push({ line, ...fields, text: Buffer.alloc(0) });
      return;
    }
    const length = Buffer.byteLength(fields);
    const bytes = this.#startLine(line, length + 1);
    bytes.write(fields, this.#text.length);
    bytes[this.#text.length + length] = lineFeed;
    this.#text.length += length + 1;
    this.#keys = Object.keys(object);
    this.#copier = undefined;
  }

  /** Adds the object from `start` to `end` of a block, if that is possible without parsing it. */
  copy(block: Buffer, start: number, end: number, line: number): boolean {
    const copier = (this.#copier ??= this.#copierFor(this.#keys));
    if (copier?.find(block, start, end) !== true) return false;
    const bytes = this.#startLine(line, end - start + this.columns.length);
    this.#text.length = copier.writeLine(block, bytes, this.#text.length);
    return true;
  }

  /** What was added since the last call. After the lines there is room for one byte. */
  take(): {
    readonly bytes: Buffer;
    readonly length: number;
    readonly rejected: readonly RejectedRow[];
  } {
    this.#text.reserve(1);
    const rejected = this.#rejected;
    this.#rejected = [];
    return { ...this.#text.take(), rejected };
  }

  /** Makes room for a line. The lines before it that were not added are blank. */
  #startLine(line: number, lineBytes: number): Buffer {
    const skipped = line - this.#line;
    const bytes = this.#text.reserve(skipped + lineBytes);
    bytes.fill(lineFeed, this.#text.length, this.#text.length + skipped);
    this.#text.length += skipped;
    this.#line = line + 1;
    return bytes;
  }

  #copierFor(keys: readonly string[]): JsonRowCopier | undefined {
    const places = keys.map((key) => this.#places.get(key) ?? this.#places.get(lower(key)) ?? 0);
    // Of two spellings of a key the last one that is not null counts.
    if (places.length === 0 || new Set(places).size < places.length) return undefined;
    return new JsonRowCopier(keys, places, this.columns.length);
  }

  #fields(object: JsonObject): string | Problem {
    const fields = new Array<string>(this.columns.length).fill('');
    for (const key in object) {
      const place = this.#places.get(key) ?? this.#places.get(lower(key));
      if (place === undefined) return this.#unknown(key);
      const value = object[key];
      if (value === null) continue;
      const field = fieldText(value);
      if (field === undefined) return invalid(key, value, 'must be text, a number, true or false');
      if (/[\r\n]/.test(field)) return invalid(key, value, 'must not contain line ends');
      fields[place] = field;
    }
    return fields.join(',');
  }

  #unknown(key: string): Problem {
    const shown = key.slice(0, shownCharacters);
    return this.#testColumns.has(lower(key))
      ? { reason: `${shown} is not in the first rows of the body`, column: shown, value: '' }
      : { reason: `unknown column: ${shown}`, column: shown, value: '' };
  }
}

type Problem = Pick<RejectedRow, 'reason' | 'column' | 'value'>;

const shownCharacters = 200;
const lineFeed = 0x0a;

function lower(key: string): string {
  return key.toLowerCase();
}

function fieldText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  // \N is NULL in ClickHouse's CSV.
  return /[",]|^\s|\s$|^\\N$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function invalid(column: string, value: unknown, rule: string): Problem {
  return {
    reason: `${column} ${rule}`,
    column,
    // Not JSON.stringify, which fails on 100,000 levels.
    value: typeof value === 'string' ? value.slice(0, shownCharacters) : '',
  };
}
