import { aggregates } from '../../catalog/statistics.ts';
import { as, type Column, nameOf, type Step } from '../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../request/metric-query.ts';
import { normalisedPoints } from './normalised-steps.ts';
import type { ResultSource } from './result-source.ts';
import { midpointColumns, type PointOrder, sortedPoints } from './weighted-percentiles.ts';

/**
 * Statistics of weighted results: of ratio metrics, and normalised ones. A group becomes an array of
 * values in ascending order and an array of weights. The last step divides by the total weight.
 */
export function weightedSteps(
  query: AggregateMetricQuery,
  keys: readonly string[],
  source: ResultSource,
): readonly Step[] {
  const { columns, weightedColumns, normalisedColumns } = source;
  const further = query.normalised ? normalisedColumns : weightedColumns;
  const carried = [...columns, ...further].map(nameOf);
  return [
    ...(query.normalised ? normalisedPoints(query, keys, source) : [collected(keys, source)]),
    ...weightedStatistics([...keys, 'samples', 'agents', 'units', ...carried], {
      order: 'by value',
      prefixes: [],
      columns: source.weightedStatistics,
    }),
  ];
}

/** From `points` to `statistics`. The columns are carried along. */
export function weightedStatistics(
  carried: readonly string[],
  { order, prefixes, columns }: WeightedPoints,
): readonly Step[] {
  const lists = ['', ...prefixes];
  return [
    {
      name: 'midpoints',
      select: {
        columns: [...carried, ...lists.flatMap((prefix) => midpointColumns(order, prefix))],
        from: 'points',
      },
    },
    {
      name: 'centred',
      select: {
        columns: [
          '*',
          as('arraySum(ws)', 'total_weight'),
          as('clamp(arraySum((x, w) -> x * w, xs, ws) / total_weight, xs[1], xs[-1])', 'mean'),
        ],
        from: 'midpoints',
      },
    },
    {
      name: 'statistics',
      select: {
        columns: [
          ...carried,
          ...aggregates.map(({ name, weighted }) => as(weighted, name)),
          ...columns,
        ],
        from: 'centred',
      },
    },
  ];
}

export interface WeightedPoints {
  readonly order: PointOrder;
  /** Further lists beside `points`, by the prefix of their columns. */
  readonly prefixes: readonly string[];
  /** Further columns, over all of the lists. */
  readonly columns: readonly Column[];
}

function collected(keys: readonly string[], source: ResultSource): Step {
  const { from, hasNulls, columns, weightedColumns } = source;
  const pairs = hasNulls
    ? 'groupArrayIf((assumeNotNull(value), assumeNotNull(own_weight)), isNotNull(value))'
    : 'groupArray((value, own_weight))';
  return {
    name: 'points',
    select: {
      columns: [
        ...keys,
        as(sortedPoints(pairs, 'by value'), 'points'),
        ...resultCounts(hasNulls),
        ...columns,
        ...weightedColumns,
      ],
      from,
      groupBy: keys,
      having: hasNulls ? 'count() > 0' : 'samples > 0',
    },
  };
}

/** The numbers of results, agents and units of a group. */
export function resultCounts(hasNulls: boolean): readonly Column[] {
  const distinct = (column: string) =>
    hasNulls ? `uniqExactIf(${column}, isNotNull(value))` : `uniqExact(${column})`;
  return [
    as(hasNulls ? 'count(value)' : 'count()', 'samples'),
    as(distinct('agent_key'), 'agents'),
    as(distinct('unit_id'), 'units'),
  ];
}
