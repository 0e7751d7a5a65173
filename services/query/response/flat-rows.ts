import { CsvRowCounter } from '../export/csv-row-counter.ts';
import type { RowCount } from './frame-rows.ts';
import { NdjsonRowCounter } from './ndjson-row-counter.ts';

interface RowCounter {
  readonly rows: number;
  add(chunk: Buffer): void;
  /** Throws if the last row is not complete. */
  finish(): void;
}

/**
 * Passes ClickHouse's rows through and counts them. Yields nothing before the first row or the end, so
 * that an earlier error still gets its own status: the header of a CSV is not a row.
 */
export async function* flatRows(
  chunks: AsyncIterable<Buffer>,
  format: 'csv' | 'ndjson',
  count: RowCount,
): AsyncGenerator<Buffer> {
  const counter: RowCounter = format === 'csv' ? new CsvRowCounter() : new NdjsonRowCounter();
  let held: Buffer[] = [];
  for await (const chunk of chunks) {
    counter.add(chunk);
    count.rows = counter.rows;
    held.push(chunk);
    if (counter.rows === 0) continue;
    yield* held;
    held = [];
  }
  counter.finish();
  yield* held;
}
