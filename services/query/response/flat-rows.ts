import { CsvRowCounter } from '../formats/csv-row-counter.ts';
import type { RowCount } from './frame-rows.ts';
import { newline, requireRow, wholeLines } from './whole-lines.ts';

/**
 * Passes ClickHouse's rows through and counts them. Yields nothing before the first row or the end, so
 * that an earlier error still gets its own status: the header of a CSV is not a row.
 */
export function flatRows(
  chunks: AsyncIterable<Buffer>,
  format: 'csv' | 'ndjson',
  count: RowCount,
): AsyncGenerator<Buffer> {
  return format === 'csv' ? csvRows(chunks, count) : ndjsonRows(chunks, count);
}

async function* ndjsonRows(chunks: AsyncIterable<Buffer>, count: RowCount): AsyncGenerator<Buffer> {
  for await (const lines of wholeLines(chunks)) {
    for (let start = 0; start < lines.length; start = lines.indexOf(newline, start) + 1) {
      requireRow(lines, start);
      count.rows++;
    }
    yield lines;
  }
}

async function* csvRows(chunks: AsyncIterable<Buffer>, count: RowCount): AsyncGenerator<Buffer> {
  const counter = new CsvRowCounter();
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
