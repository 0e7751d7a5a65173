import { sql } from '../../../shared/sql/expression.ts';
import { as, type Column, type Step } from '../../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../../request/metric-query.ts';
import type { PointColumn } from '../compiled-query.ts';
import type { SplitColumn } from '../split-column.ts';
import { eachIf } from './each-if.ts';

// docs/data-protection.md, "Privacy floor".

/**
 * The steps after `statistics` that decide which points have numbers. The suppressed points of a bucket have together
 * at least as many agents as the floor, as far as there are others: the smallest of them are suppressed too.
 * Otherwise the numbers of a single small point would be those of all points less those of the others.
 */
export function floorSteps(
  query: AggregateMetricQuery,
  bucketKey: readonly string[],
  splits: readonly SplitColumn[],
): readonly Step[] {
  const { floor } = query;
  if (floor === undefined) return [];
  const counts = step('floor_counts', 'statistics', [as(countedAgents(query), 'floor_agents')]);
  const isLarge = `floor_agents >= ${floor}`;
  if (splits.length === 0) {
    return [counts, step('floored', counts.name, [as(isLarge, 'is_shown')])];
  }
  const bucket = bucketKey.length === 0 ? '' : `PARTITION BY ${bucketKey.join(', ')}`;
  const smaller = `${bucket}
    ORDER BY ${['floor_agents', ...splits.map(({ order }) => order)].join(',\n        ')}
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING`;
  const isSafe = `fewest_agents >= ${floor} OR smaller_agents >= ${floor}`;
  return [
    counts,
    step(
      'smaller_points',
      counts.name,
      [
        as(`min(floor_agents) OVER (${bucket})`, 'fewest_agents'),
        as(`sum(floor_agents) OVER (${smaller})`, 'smaller_agents'),
      ],
      splits.flatMap(({ lookups }) => lookups),
    ),
    step('floored', 'smaller_points', [as(`${isLarge} AND (${isSafe})`, 'is_shown')]),
  ];
}

function step(
  name: string,
  from: string,
  columns: readonly Column[],
  define: readonly Column[] = [],
): Step {
  return { name, select: { define, columns: ['*', ...columns], from } };
}

/**
 * With weights, the effective number of agents: a field that is 1 for one household and 0 for the others, sent as
 * `weight`, would show that household. Equal weights of 5 households may give 4.999….
 */
function countedAgents({ report }: AggregateMetricQuery): string {
  return report?.weight === undefined
    ? 'agents'
    : 'least(agents, toUInt64(ifNotFinite(effective_count, 0) + 1e-6))';
}

/** The number of a shown point, otherwise NULL. The extremes are values of one household: always NULL. */
export function shownAboveFloor(query: AggregateMetricQuery, column: PointColumn): PointColumn {
  if (isExtreme(query, column.name)) return { ...column, sql: "CAST(NULL, 'Nullable(Float64)')" };
  return {
    ...column,
    sql:
      column.kind === 'numbers'
        ? eachIf('is_shown', column.sql)
        : sql`if(is_shown, ${column.sql}, NULL)`,
  };
}

function isExtreme({ report }: AggregateMetricQuery, name: string): boolean {
  if (name === 'min' || name === 'max') return true;
  const percent = report?.consistent?.households ?? 50;
  return name === 'consistent' && (percent < 1 || percent > 99);
}
