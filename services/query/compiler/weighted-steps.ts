import { aggregates } from '../../catalog/statistics.ts';
import { as, type Column, nameOf, type Step } from '../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../request/metric-query.ts';
import {
  midpointColumns,
  type PointOrder,
  positionColumns,
  sortedPoints,
} from './weighted-percentiles.ts';

/** The results that statistics are computed of, and further columns of each bucket and series. */
export interface ResultSource {
  readonly from: string;
  /** Whether the value of some results is NULL: they are left out. */
  readonly hasNulls: boolean;
  /** Columns of results that are 1 for a result that is left out: `is_results_without_field`. */
  readonly flags: readonly string[];
  /** Counts of these results. */
  readonly columns: readonly Column[];
  /** Aggregates over results of equal weight. */
  readonly plainColumns: readonly Column[];
  /** Aggregates over results with a column for their weight. */
  readonly weightedColumns: (weight: string) => readonly Column[];
  /** Statistics over the arrays `xs` and `ws` and the columns above. */
  readonly weightedStatistics: readonly Column[];
}

/**
 * Statistics of weighted results: of ratio metrics, and normalised ones. A group becomes an array of
 * values in ascending order and an array of weights. The last step divides by the total weight.
 */
export function weightedSteps(
  query: AggregateMetricQuery,
  keys: readonly string[],
  source: ResultSource,
): readonly Step[] {
  const { normalised } = query;
  const carried = [...source.columns, ...source.weightedColumns('')].map(nameOf);
  return [
    ...(normalised ? normalisedWeights(query, keys, source) : []),
    normalised
      ? collected(keys, { ...source, from: 'weighted' }, 'weight')
      : collected(keys, source, 'own_weight'),
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
      name: 'positioned',
      select: {
        columns: [
          ...carried,
          'xs',
          'ws',
          as('arraySum(ws)', 'total_weight'),
          as('arraySum((x, w) -> x * w, xs, ws) / total_weight', 'mean'),
          ...lists.flatMap((prefix) => positionColumns(prefix)),
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
        from: 'positioned',
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

// The shares of an agent's results in a block add up to 1, so the shares of a block add up to its
// number of agents, and the weights of a block to 1.
function normalisedWeights(
  { metric }: AggregateMetricQuery,
  keys: readonly string[],
  { from, hasNulls, flags }: ResultSource,
): readonly Step[] {
  const ofAgent = `OVER (PARTITION BY ${[...keys, 'block', 'agent_key'].join(', ')})`;
  const ofBlock = `OVER (PARTITION BY ${[...keys, 'block'].join(', ')})`;
  const equal = hasNulls
    ? `if(isNull(value), NULL, 1 / count(value) ${ofAgent})`
    : `1 / count() ${ofAgent}`;
  const share = metric.measure.kind === 'value' ? equal : `own_weight / sum(own_weight) ${ofAgent}`;
  const carried = [...keys, 'agent_key', 'unit_id', 'value', ...flags];
  return [
    {
      name: 'shares',
      select: { columns: [...new Set([...carried, 'block']), as(share, 'share')], from },
    },
    {
      name: 'weighted',
      select: {
        columns: [...new Set(carried), as(`share / sum(share) ${ofBlock}`, 'weight')],
        from: 'shares',
      },
    },
  ];
}

function collected(keys: readonly string[], source: ResultSource, weight: string): Step {
  const { from, hasNulls, columns, weightedColumns } = source;
  const pairs = hasNulls
    ? `groupArrayIf((assumeNotNull(value), assumeNotNull(${weight})), isNotNull(value))`
    : `groupArray((value, ${weight}))`;
  return {
    name: 'points',
    select: {
      columns: [
        ...keys,
        as(sortedPoints(pairs, 'by value'), 'points'),
        ...resultCounts(hasNulls),
        ...columns,
        ...weightedColumns(weight),
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
