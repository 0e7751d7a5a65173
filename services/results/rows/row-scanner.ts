import { inFile, type MultilineField, type MultilineFields } from './multiline-fields.ts';
import { type AgentNumber, isoTime, maxRowBytes, RowReader, type RowShape } from './row-reader.ts';
import {
  ConvertedRows,
  type FieldConversion,
  type RejectedRow,
  type ScannedRows,
} from './scanned-rows.ts';

/**
 * Scans the bytes of a CSV file once, block by block: finds the ends of rows, counts columns and
 * checks every field. Valid rows never become objects or strings; ClickHouse parses them. Only a row
 * with a field to convert, such as a time with an offset, is copied.
 */
export class RowScanner {
  readonly statistics: RowStatistics;
  readonly #shape: RowShape;
  readonly #row: RowReader;
  #line: number;
  /** Inside a row that was rejected for its length. */
  #isSkipping = false;

  constructor(shape: RowShape, agentNumber: AgentNumber, firstLine: number) {
    this.#shape = shape;
    this.#row = new RowReader(shape, agentNumber);
    this.#line = firstLine;
    this.statistics = new RowStatistics(shape.names);
  }

  /** The first line that was not scanned yet. */
  get nextLine(): number {
    return this.#line;
  }

  /** `block` has room for one byte after `length`: a line feed is written there to stop the search. */
  scan(block: Buffer, length: number, isLast: boolean): ScannedRows {
    // A valid row has its separators, a time of at least ten bytes and a line end.
    const { names, minRowBytes = names.length + 10, maxAheadS } = this.#shape;
    const most = Math.floor(length / minRowBytes) + 2;
    const newArray = () => new Uint32Array(most);
    const [starts, ends, lines, agents] = [newArray(), newArray(), newArray(), newArray()];
    const [keys1, keys2, contents] = [newArray(), newArray(), newArray()];
    const timesS = new Uint32Array(maxAheadS === undefined ? 0 : most);
    const rejected: RejectedRow[] = [];
    const converted = new ConvertedRows();
    const convertedFrom = length + 1;
    const row = this.#row;
    let count = 0;
    block[length] = lineFeed;

    let at = this.#isSkipping ? this.#skipToLineEnd(block, length) : 0;
    while (at < length) {
      const line = this.#line;
      const isWhole = row.read(block, at, length, isLast);
      // The row is scanned again with the next block.
      if (!isWhole && !isLast && length - at <= maxRowBytes) break;

      const textEnd = row.end > at && block[row.end - 1] === carriageReturn ? row.end - 1 : row.end;
      if (textEnd > at && row.isValid(block, at, textEnd)) {
        starts[count] = at;
        ends[count] = textEnd;
        if (row.conversions.length > 0) {
          starts[count] = convertedFrom + converted.length;
          converted.add(block, at, textEnd, row.conversions);
          ends[count] = convertedFrom + converted.length;
        }
        lines[count] = line;
        agents[count] = row.agent;
        keys1[count] = row.key1;
        keys2[count] = row.key2;
        contents[count] = row.content;
        if (maxAheadS !== undefined) timesS[count] = row.timeS;
        count++;
        this.statistics.addRow(row.timeS, row.conversions);
        if (row.multiline !== undefined) this.statistics.addMultiline(inFile(row.multiline, line));
      } else if (textEnd > at) {
        rejected.push(row.rejected(block, at, textEnd, line));
      }
      this.#isSkipping = !isWhole && !isLast && row.end >= length;
      this.#line += row.lineFeeds + (this.#isSkipping ? 0 : 1);
      at = row.end + 1;
    }
    const consumedBytes = Math.min(at, length);
    const arrays = { starts, ends, lines, agents, keys1, keys2, contents, timesS };
    return { count, ...arrays, converted, convertedFrom, rejected, consumedBytes };
  }

  #skipToLineEnd(block: Buffer, length: number): number {
    const lineEnd = block.indexOf(lineFeed);
    this.#isSkipping = lineEnd >= length;
    if (!this.#isSkipping) this.#line++;
    return Math.min(lineEnd + 1, length);
  }
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** What is counted of the valid rows of a file. */
class RowStatistics {
  readonly #names: readonly string[];
  readonly #rounded = new Map<number, number>();
  #firstS = Infinity;
  #lastS = -Infinity;
  timesWithoutTimeOfDay = 0;
  multiline: MultilineFields | undefined;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  addRow(timeS: number, conversions: readonly FieldConversion[]): void {
    if (timeS < this.#firstS) this.#firstS = timeS;
    if (timeS > this.#lastS) this.#lastS = timeS;
    for (const { column, change } of conversions) {
      if (change === 'rounded') this.#rounded.set(column, (this.#rounded.get(column) ?? 0) + 1);
      if (change === 'no time of day') this.timesWithoutTimeOfDay++;
    }
  }

  /** A valid row with a quoted field over several lines. */
  addMultiline(field: MultilineField): void {
    const { rows, first } = this.multiline ?? { rows: 0, first: field };
    this.multiline = { rows: rows + 1, first };
  }

  /** First and last day in UTC, as `2026-11-15`; undefined without a valid row. */
  get days(): { readonly first: string; readonly last: string } | undefined {
    if (this.#firstS === Infinity) return undefined;
    return { first: isoTime(this.#firstS).slice(0, 10), last: isoTime(this.#lastS).slice(0, 10) };
  }

  /** Values per column that were rounded to a whole number. */
  get rounded(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      [...this.#rounded].map(([column, count]) => [this.#names[column] ?? '', count]),
    );
  }
}
