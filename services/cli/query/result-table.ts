import type { Style } from '../terminal/style.ts';
import { alignedLines } from '../print.ts';
import { printable } from '../terminal/display-width.ts';
import type { Row } from './result-rows.ts';

/** Statistics that fit on a terminal; --columns shows others. */
const usualStatistics = [
  'metricValue',
  'ci95',
  'ciHousehold95',
  'median',
  'sampleCount',
  'agentCount',
  'suppressed',
  'partial',
];
const bucketColumns = ['dtime', 'aggregatedNumber'];
/** Columns of a comparison, with shorter headings. */
const comparedColumns: Readonly<Record<string, string>> = {
  metricValue: 'metricValue',
  comparedMetricValue: 'compared',
  differenceMetricValue: 'difference',
  differencePercent: 'percent',
  differenceCi95: 'differenceCi95',
  differenceP: 'p',
  differencePAdjusted: 'pAdjusted',
  householdsBoth: 'both',
  householdsOnlyHere: 'onlyHere',
  householdsOnlyThere: 'onlyThere',
  differenceReason: 'reason',
  partial: 'partial',
};
/** Only shown if a row has a value. */
const rareColumns = ['differencePAdjusted', 'differenceReason'];

/** The rows as an aligned table: the splits, the bucket, the usual statistics, or the columns asked for. */
export function resultTable(
  rows: readonly Row[],
  splits: readonly string[],
  wanted: readonly string[] | undefined,
  style: Style,
): string {
  const present = new Set(rows.flatMap((row) => Object.keys(row)));
  // Most results have no partial buckets.
  if (!rows.some(({ partial }) => partial === true)) present.delete('partial');
  for (const name of rareColumns) {
    if (rows.every((row) => (row[name] ?? null) === null)) present.delete(name);
  }
  const statistics = isComparison(rows) ? Object.keys(comparedColumns) : usualStatistics;
  const usual = [...splits, ...bucketColumns, ...statistics].filter((name) => present.has(name));
  // A raw result has no statistics but its own columns.
  const isRaw = !present.has('sampleCount') && !present.has('agentCount');
  const columns = wanted ?? (isRaw ? [...present] : usual);
  const headings = wanted ?? columns.map((column) => comparedColumns[column] ?? column);
  const cells = rows.map((row) => columns.map((column) => cellText(row[column])));
  const isNumber = columns.map((column) => rows.every((row) => typeof row[column] !== 'string'));
  const [heading = '', ...lines] = alignedLines([headings, ...cells], isNumber);
  return [style(heading, 'bold'), ...lines].join('\n');
}

export function isComparison([first]: readonly Row[]): boolean {
  return first !== undefined && 'differenceMetricValue' in first;
}

/** The rows by the values of the splits: `Northwave · Fibre 100`, or `all`. */
export function rowsBySeries(
  rows: readonly Row[],
  splits: readonly string[],
): ReadonlyMap<string, readonly Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const name = splits.map((split) => cellText(row[split])).join(' · ') || 'all';
    const own = found.get(name) ?? [];
    found.set(name, own);
    own.push(row);
  }
  return found;
}

/** Columns of --columns that no row has. */
export function missingColumns(rows: readonly Row[], wanted: readonly string[]): readonly string[] {
  return wanted.filter((column) => !rows.some((row) => column in row));
}

export function cellText(value: Row[string] | undefined): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'number' ? shortNumber(value) : printable(String(value));
}

/** Four significant digits, and every digit of a larger whole part: 303.9, 0.01235, 12346. */
export function shortNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  if (Math.abs(value) >= 1000) return String(Math.round(value));
  return String(Number(value.toPrecision(4)));
}
