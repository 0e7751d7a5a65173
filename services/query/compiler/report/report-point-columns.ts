import { coverageNumbers, householdIntervals, statistics } from '../../../catalog/statistics.ts';
import { sql } from '../../../shared/sql/expression.ts';
import type { AggregateMetricQuery } from '../../request/metric-query.ts';
import type { Report } from '../../request/report/report.ts';
import type { PointColumn } from '../compiled-query.ts';
import { coverageSql } from './coverage-columns.ts';
import { eachIf } from './each-if.ts';
import { leftOutOf } from './left-out.ts';
import { shownAboveFloor } from './privacy-floor.ts';

interface Options {
  readonly numberLists: 'objects' | 'columns';
}

/** The columns of a point that only reports have. Objects become columns of a CSV file. */
export function reportPointColumns(
  query: AggregateMetricQuery,
  options: Options,
): readonly PointColumn[] {
  const { report } = query;
  if (report === undefined) return [];
  const thresholds = report.shares?.thresholds ?? [];
  const leftOut = leftOutOf(query);
  return [
    ...(report.householdIntervals
      ? householdIntervals.map((interval) => number(interval.name, interval.sql))
      : []),
    ...(report.consistent === undefined ? [] : [number('consistent', 'consistent_value')]),
    ...numbers(
      'shares',
      thresholds.map((t, i) => ({
        key: String(t),
        column: `share${t}`,
        sql: `share_values[${i + 1}]`,
      })),
      options,
    ),
    ...numbers(
      'leftOut',
      leftOut.map(({ name, column }) => ({ key: name, column: name, sql: column })),
      options,
    ),
    ...coverageColumns(report, options),
  ];
}

function coverageColumns({ coverage }: Report, options: Options): readonly PointColumn[] {
  if (coverage === undefined) return [];
  const columns = coverageSql(coverage);
  const items = coverageNumbers.map(({ name, column }) => ({
    key: name,
    column,
    sql: columns[name],
  }));
  return numbers('coverage', items, options);
}

/** A point with too few agents keeps its splits and its bucket. All its numbers are NULL. */
export function shownIfEnoughAgents(query: AggregateMetricQuery, column: PointColumn): PointColumn {
  const { report, floor } = query;
  if (floor !== undefined) return shownAboveFloor(query, column);
  if (report === undefined) return column;
  const isCount = counts.has(column.name);
  // Without a minimum, a point whose households are all left out still says how many they were.
  if (isCount && report.minAgents === 0) return column;
  const condition = isCount ? `agents >= ${report.minAgents}` : enoughAgents(report);
  return {
    ...column,
    sql:
      column.kind === 'numbers'
        ? eachIf(condition, column.sql)
        : sql`if(${condition}, ${column.sql}, NULL)`,
  };
}

const counts = new Set([
  ...statistics.filter(({ kind }) => kind === 'integer').map(({ name }) => name),
  'leftOut',
  'coverage',
  ...coverageNumbers.map(({ column }) => column),
]);

export function suppressedColumn({ report, floor }: AggregateMetricQuery): readonly PointColumn[] {
  const minAgents = report?.minAgents ?? 0;
  if (floor === undefined && minAgents === 0) return [];
  const isSuppressed = floor === undefined ? `agents < ${minAgents}` : 'NOT is_shown';
  return [{ name: 'suppressed', kind: 'boolean', sql: `CAST(${isSuppressed}, 'Bool')` }];
}

/** SQL of whether a point has values. */
export function enoughAgents({ minAgents }: Report): string {
  return `agents >= ${Math.max(1, minAgents)}`;
}

interface NamedNumber {
  readonly key: string;
  /** Name of its column in CSV. */
  readonly column: string;
  readonly sql: string;
}

function numbers(
  name: string,
  items: readonly NamedNumber[],
  { numberLists }: Options,
): readonly PointColumn[] {
  if (items.length === 0) return [];
  if (numberLists === 'columns') return items.map((item) => number(item.column, item.sql));
  const pairs = items.map((item) => `'${item.key}', ${item.sql}`).join(',\n        ');
  return [{ name, kind: 'numbers', sql: `map(\n        ${pairs})` }];
}

function number(name: string, sqlText: string): PointColumn {
  return { name, kind: 'number', sql: sqlText };
}
