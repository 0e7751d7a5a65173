import { householdIntervals, statistics } from '../../../catalog/statistics.ts';
import { type Expression, sql } from '../../../shared/sql/expression.ts';
import type { AggregateMetricQuery } from '../../request/metric-query.ts';
import type { Report } from '../../request/report/report.ts';
import type { PointColumn } from '../compiled-query.ts';
import { leftOutOf } from './left-out.ts';
import { householdErrorOf } from './report-statistics.ts';

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
      ? householdIntervals.map(({ name, z }) => number(name, `${z} * ${householdErrorOf(report)}`))
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
  ];
}

/** A point with too few agents keeps its splits and its bucket. All its numbers are NULL. */
export function shownIfEnoughAgents(
  { report }: AggregateMetricQuery,
  column: PointColumn,
): PointColumn {
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

/** The object stays, with nulls: ClickHouse 25.8 has no Nullable(Map). */
function eachIf(condition: string, numbers: Expression): Expression {
  return sql`mapApply(
    (name, number) -> (name, if(${condition}, number, NULL)),
    ${numbers})`;
}

const counts = new Set([
  ...statistics.filter(({ kind }) => kind === 'integer').map(({ name }) => name),
  'leftOut',
]);

export function suppressedColumn({ report }: AggregateMetricQuery): readonly PointColumn[] {
  if (report === undefined || report.minAgents === 0) return [];
  const isSuppressed = `CAST(agents < ${report.minAgents}, 'Bool')`;
  return [{ name: 'suppressed', kind: 'boolean', sql: isSuppressed }];
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
