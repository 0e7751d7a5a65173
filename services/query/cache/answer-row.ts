import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompiledQuery, SplitOrder } from '../compiler/compiled-query.ts';

/** A point of an answer: its line as ClickHouse wrote it, and what it is ordered by. */
export interface AnswerRow {
  /** Without the line end. */
  readonly line: string;
  readonly splits: readonly SplitValue[];
  /** As `2026-01-31` or `2026-01-31T13:00:00`, or the number of a profile as `007`; empty without buckets. */
  readonly bucket: string;
}

type SplitValue = string | number | null;

/** Rows that are read or written before other requests get their turn. */
const rowsPerTurn = 1_000;

/** Reads, orders and writes the rows of a query. */
export function rowFormat({ columns, series }: Pick<CompiledQuery, 'columns' | 'series'>) {
  const readRow = rowReader({ columns, series });
  const text = (rows: readonly AnswerRow[]) => rows.map(({ line }) => `${line}\n`).join('');
  return {
    compare: compareRows(series.orders),
    text,
    async read(lines: string): Promise<readonly AnswerRow[]> {
      const rows: AnswerRow[] = [];
      for (const line of lines.split('\n')) {
        if (line !== '') rows.push(readRow(line));
        if (rows.length % rowsPerTurn === rowsPerTurn - 1) await nextTurn();
      }
      return rows;
    },
    *write(rows: readonly AnswerRow[]): Generator<Buffer> {
      for (let i = 0; i < rows.length; i += rowsPerTurn) {
        yield Buffer.from(text(rows.slice(i, i + rowsPerTurn)));
      }
    },
  };
}

/** Reads the splits and the bucket of lines of JSON. */
function rowReader({ columns, series }: Pick<CompiledQuery, 'columns' | 'series'>) {
  const names = columns.slice(0, series.keyColumns).map(({ name }) => name);
  // A quote within a value is escaped, so these texts are never part of one.
  const endOfSplits = `,${JSON.stringify(columns[series.keyColumns]?.name)}:`;
  const bucketName = columns.find(({ name }) => bucketNames.includes(name))?.name;
  const bucketStart = bucketName && `,"${bucketName}":`;
  return (line: string): AnswerRow => ({ line, splits: splitsOf(line), bucket: bucketOf(line) });

  function splitsOf(line: string): readonly SplitValue[] {
    if (names.length === 0) return [];
    const text = `${line.slice(0, line.indexOf(endOfSplits))}}`;
    const values = JSON.parse(text) as Readonly<Record<string, SplitValue>>;
    return names.map((name) => values[name] ?? null);
  }

  function bucketOf(line: string): string {
    if (bucketStart === undefined) return '';
    const start = line.indexOf(bucketStart) + bucketStart.length;
    const value = line.slice(start, line.indexOf(',', start));
    return value.startsWith('"') ? value.slice(1, -1) : value.padStart(3, '0');
  }
}

const bucketNames: readonly string[] = ['dtime', 'aggregatedNumber'];

/** Compares rows as the ORDER BY of the query does: by splits, then by time. */
function compareRows(orders: readonly SplitOrder[]) {
  return (a: AnswerRow, b: AnswerRow): number => {
    for (const [i, order] of orders.entries()) {
      const compared = compareValues(a.splits[i] ?? null, b.splits[i] ?? null, order);
      if (compared !== 0) return compared;
    }
    return a.bucket < b.bucket ? -1 : Number(a.bucket > b.bucket);
  };
}

function compareValues(a: SplitValue, b: SplitValue, order: SplitOrder): number {
  // ClickHouse puts NULL last.
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  // Numbers of a custom field come before its texts.
  if (typeof a === 'number') return -1;
  if (typeof b === 'number') return 1;
  if (order === 'id' && a !== b) return BigInt(a) < BigInt(b) ? -1 : 1;
  if (a === b) return 0;
  if (hasSurrogate.test(a) || hasSurrogate.test(b)) {
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return a < b ? -1 : 1;
}

// JavaScript compares UTF-16 and ClickHouse UTF-8. The order differs only for characters beyond U+FFFF.
const hasSurrogate = /[\ud800-\udfff]/;

/** Whether rows are ordered and all different. Otherwise pieces cannot be merged by that order. */
export function isStrictlyOrdered(
  rows: readonly AnswerRow[],
  compare: (a: AnswerRow, b: AnswerRow) => number,
): boolean {
  return rows.every((row, i) => {
    const before = rows[i - 1];
    return before === undefined || compare(before, row) < 0;
  });
}
