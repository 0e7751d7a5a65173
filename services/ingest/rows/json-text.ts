import type { TestColumn } from '../../results/columns/test-columns.ts';
import type { JsonObject } from '../../results/json/json-cells.ts';
import type { JsonLine } from '../../results/json/json-lines.ts';
import type { RejectedRow } from '../../results/rows/scanned-rows.ts';

/**
 * Turns JSON objects into CSV lines for the scanner, which checks their fields as those of a CSV file. The lines have
 * all columns of the test, so that requests with different keys can be inserted together.
 */
export class JsonText {
  readonly columns: readonly string[];
  readonly #testColumns: ReadonlySet<string>;
  readonly #places: ReadonlyMap<string, number>;

  /** `first`: the first rows. They decide which of the columns that netpanel can fill are in the lines. */
  constructor(testColumns: readonly TestColumn[], first: readonly JsonLine[]) {
    this.#testColumns = new Set(testColumns.map(({ name }) => name));
    const keys = new Set(first.flatMap(({ object }) => Object.keys(object).map(lower)));
    const isUsed = (name: string) =>
      name === 'unit_id' ? !keys.has('agent_id') || keys.has(name) : keys.has(name);
    this.columns = [...this.#testColumns].filter((name) => !filled.has(name) || isUsed(name));
    this.#places = new Map(this.columns.map((name, place) => [name, place]));
  }

  /** The lines of rows, each at its line number after `nextLine`. */
  lines(
    rows: readonly JsonLine[],
    nextLine: number,
  ): { readonly text: string; readonly rejected: readonly RejectedRow[] } {
    const rejected: RejectedRow[] = [];
    let text = '';
    let line = nextLine;
    for (const row of rows) {
      const fields = this.#fields(row.object);
      if (typeof fields === 'string') {
        text += '\n'.repeat(row.line - line) + fields + '\n';
        line = row.line + 1;
      } else rejected.push({ line: row.line, ...fields, text: Buffer.alloc(0) });
    }
    return { text, rejected };
  }

  #fields(object: JsonObject): string | Problem {
    const fields = new Array<string>(this.columns.length).fill('');
    for (const key in object) {
      const place = this.#places.get(key) ?? this.#places.get(lower(key));
      if (place === undefined) return this.#unknown(key);
      const value = object[key];
      if (value === null) continue;
      const field = fieldText(value);
      if (field === undefined)
        return invalid(key, value, 'must be a text, a number, true or false');
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

/** Filled from the agent and the time when the rows do not have them. */
const filled = new Set(['agent_id', 'unit_id', 'base', 'ddate']);
const shownCharacters = 200;

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
