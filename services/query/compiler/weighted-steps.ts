import { aggregates } from '../../catalog/statistics.ts';
import { as, type Column, nameOf, type Step } from '../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../request/metric-query.ts';
import { midpointColumns, positionColumns } from './weighted-percentiles.ts';

/** The results that statistics are computed of, and further columns of each bucket and series. */
export interface ResultSource {
  readonly from: string;
  /** Whether the value of some results is NULL: they are left out. */
  readonly hasNulls: boolean;
  /** Counts of results that are left out. */
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
      prefixes: [],
      columns: source.weightedStatistics,
    }),
  ];
}

/** From `points` to `statistics`. The columns are carried along. */
export function weightedStatistics(
  carried: readonly string[],
  extras: WeightedExtras = { prefixes: [], columns: [] },
): readonly Step[] {
  const lists = ['', ...extras.prefixes];
  return [
    {
      name: 'midpoints',
      select: {
        columns: [...carried, ...lists.flatMap((prefix) => midpointColumns(prefix))],
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
          ...extras.columns,
        ],
        from: 'positioned',
      },
    },
  ];
}

/** Further lists of values beside `points`, by the prefix of their columns, and columns over all of them. */
interface WeightedExtras {
  readonly prefixes: readonly string[];
  readonly columns: readonly Column[];
}

// The shares of an agent's results in a block add up to 1, so the shares of a block add up to its
// number of agents, and the weights of a block to 1.
function normalisedWeights(
  { metric }: AggregateMetricQuery,
  keys: readonly string[],
  { from, hasNulls, columns }: ResultSource,
): readonly Step[] {
  const ofAgent = `OVER (PARTITION BY ${[...keys, 'block', 'agent_key'].join(', ')})`;
  const ofBlock = `OVER (PARTITION BY ${[...keys, 'block'].join(', ')})`;
  const equal = hasNulls
    ? `if(isNull(value), NULL, 1 / count(value) ${ofAgent})`
    : `1 / count() ${ofAgent}`;
  const share = metric.measure.kind === 'value' ? equal : `own_weight / sum(own_weight) ${ofAgent}`;
  const carried = [...keys, 'agent_key', 'unit_id', 'value', ...flagsIn(columns)];
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
        // Sorted by value only: comparing pairs takes four times as long, and ties are few.
        as(`arraySort(point -> point.1, ${pairs})`, 'points'),
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
  const [count, suffix] = hasNulls
    ? ['count(value)', 'If(%, isNotNull(value))']
    : ['count()', '(%)'];
  const distinct = (column: string) => `uniqExact${suffix.replace('%', column)}`;
  return [
    as(count, 'samples'),
    as(distinct('agent_key'), 'agents'),
    as(distinct('unit_id'), 'units'),
  ];
}

/** The columns `is_…` of results that `sum(is_…)` needs. */
function flagsIn(columns: readonly Column[]): readonly string[] {
  return columns.map((column) => `is_${nameOf(column)}`);
}
