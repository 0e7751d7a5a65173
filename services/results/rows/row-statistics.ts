import { dayAt } from '../fields/time-bytes.ts';
import type { FieldConversion } from './converted-rows.ts';
import type { MultilineField, MultilineFields } from './multiline-fields.ts';
import type { RowShape } from './row-shape.ts';

/** What is counted of the valid rows of a file. */
export class RowStatistics {
  readonly #shape: RowShape;
  readonly #rounded = new Map<number, number>();
  #firstDay = Infinity;
  #lastDay = -Infinity;
  #timesWithoutTimeOfDay = 0;
  #multiline: MultilineFields | undefined;

  constructor(shape: RowShape) {
    this.#shape = shape;
  }

  addRow(block: Buffer, timeStart: number, conversions: readonly FieldConversion[]): void {
    if (conversions.length > 0) this.#addConversions(block, timeStart, conversions);
    else this.#addTime(block, timeStart);
  }

  /** A valid row with a quoted field over several lines. */
  addMultiline(field: MultilineField): void {
    const { rows, first } = this.#multiline ?? { rows: 0, first: field };
    this.#multiline = { rows: rows + 1, first };
  }

  #addConversions(block: Buffer, timeStart: number, conversions: readonly FieldConversion[]): void {
    const time = conversions.find(({ column }) => column === this.#shape.timeColumn);
    if (time === undefined) this.#addTime(block, timeStart);
    else this.#addTime(Buffer.from(time.text), 0);
    for (const { column, change } of conversions) {
      if (change === 'rounded') this.#rounded.set(column, (this.#rounded.get(column) ?? 0) + 1);
      if (change === 'no time of day') this.#timesWithoutTimeOfDay++;
    }
  }

  #addTime(bytes: Uint8Array, start: number): void {
    const day = dayAt(bytes, start);
    if (day < this.#firstDay) this.#firstDay = day;
    if (day > this.#lastDay) this.#lastDay = day;
  }

  /** First and last day in UTC, as `2026-11-15`; undefined without a valid row. */
  get days(): { readonly first: string; readonly last: string } | undefined {
    if (this.#firstDay === Infinity) return undefined;
    return { first: isoDay(this.#firstDay), last: isoDay(this.#lastDay) };
  }

  /** Values per column that were rounded to a whole number. */
  get rounded(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      [...this.#rounded].map(([column, count]) => [this.#shape.names[column] ?? '', count]),
    );
  }

  get multiline(): MultilineFields | undefined {
    return this.#multiline;
  }

  get timesWithoutTimeOfDay(): number {
    return this.#timesWithoutTimeOfDay;
  }
}

// 20261115 → 2026-11-15
function isoDay(day: number): string {
  return String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
}
