import { as, type Column, nameOf, type Step } from '../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../request/metric-query.ts';
import type { ResultSource } from './result-source.ts';
import { sortedPoints } from './weighted-percentiles.ts';

/**
 * From results to `points`, the values with their normalised weights. The weights of a block add up to 1: each of its
 * agents has the same share of them, and each result of an agent the same share of those. The last step of the
 * statistics divides by the total weight, the number of blocks.
 */
export function normalisedPoints(
  query: AggregateMetricQuery,
  keys: readonly string[],
  source: ResultSource,
): readonly Step[] {
  const isRatio = query.metric.measure.kind === 'ratio';
  return [
    ...(isRatio ? [shareOfOwnWeight(keys, source)] : []),
    isRatio
      ? blocks(keys, { ...source, from: 'shares' }, collect('share', source))
      : blocks(keys, source, equalShares),
    weightedPoints(keys, source),
  ];
}

/** By own weight. ClickHouse has no function that sums the items of an array by the items of another. */
function shareOfOwnWeight(keys: readonly string[], { from, flags }: ResultSource): Step {
  const ofAgent = `OVER (PARTITION BY ${[...keys, 'block', 'agent_key'].join(', ')})`;
  const carried = new Set([...keys, 'block', 'agent_key', 'unit_id', 'value', ...flags]);
  const share = `own_weight / sum(own_weight) ${ofAgent}`;
  return { name: 'shares', select: { columns: [...carried, as(share, 'share')], from } };
}

/**
 * The number of an agent's results in a block, for each of them: its place among them from the front, and from the
 * back. Sorting or grouping the results by agent takes longer, and more memory if agents have few results in a block.
 */
const equalShares = `arrayMap((place, place_from_end) -> 1 / (place + place_from_end - 1),
    arrayEnumerateUniq(block_agents),
    arrayReverse(arrayEnumerateUniq(arrayReverse(block_agents))))`;

/** Arrays of the results in each block. A block can be without any, if all values are NULL. */
function blocks(keys: readonly string[], source: ResultSource, shares: string): Step {
  return {
    name: 'blocks',
    select: {
      columns: [
        ...keys,
        as(collect('value', source), 'block_values'),
        as(collect('agent_key', source), 'block_agents'),
        as(collect('unit_id', source), 'block_units'),
        as(shares, 'block_shares'),
        as('arrayMap(share -> share / arrayUniq(block_agents), block_shares)', 'block_weights'),
        ...source.columns,
        ...source.blockColumns,
      ],
      from: source.from,
      groupBy: [...keys, 'block'],
    },
  };
}

/** SQL of an array of a column, without the results whose value is NULL. */
function collect(column: string, { hasNulls }: Pick<ResultSource, 'hasNulls'>): string {
  if (!hasNulls) return `groupArray(${column})`;
  return column === 'value' || column === 'share'
    ? `groupArrayIf(assumeNotNull(${column}), isNotNull(value))`
    : `groupArrayIf(${column}, isNotNull(value))`;
}

function weightedPoints(keys: readonly string[], source: ResultSource): Step {
  const summed = (column: Column) => as(`sum(${nameOf(column)})`, nameOf(column));
  return {
    name: 'points',
    select: {
      columns: [
        ...keys,
        as('groupArrayArray(block_values)', 'all_values'),
        as('groupArrayArray(block_weights)', 'all_weights'),
        as(sortedPoints('arrayZip(all_values, all_weights)', 'by value'), 'points'),
        as('sum(length(block_values))', 'samples'),
        as('uniqExactArray(block_agents)', 'agents'),
        as('uniqExactArray(block_units)', 'units'),
        ...source.columns.map(summed),
        ...source.normalisedColumns,
      ],
      from: 'blocks',
      groupBy: keys,
      // GROUP BY without keys returns one row even without results.
      having: 'count() > 0',
    },
  };
}
