import { as, step, type Step } from '../../../shared/sql/select.ts';
import { groupedBy, ofPart, overParts, type PointAggregate } from '../aggregates.ts';
import type { Plan } from '../stage.ts';
import { sortedPoints } from '../weighted-percentiles.ts';

interface NormalisedResults {
  /** Whether the value of some results is NULL: they are left out. */
  readonly hasNulls: boolean;
  readonly aggregates: readonly PointAggregate[];
}

/**
 * From results to `points`, the values with their normalised weights. The weights of a block add up to 1: each of its
 * agents has the same share of them, and each result of an agent the same share of those. The last step of the
 * statistics divides by the total weight, the number of blocks.
 */
export function normalisedPoints(plan: Plan, results: NormalisedResults): readonly Step[] {
  if (plan.query.metric.measure.kind === 'value') {
    return [blocksStep(plan, results, equalShares), pointsStep(plan, results)];
  }
  return [
    shareOfOwnWeight(plan),
    blocksStep(plan, results, collect('share', results)),
    pointsStep(plan, results),
  ];
}

/** By own weight. ClickHouse has no function that sums the items of an array by the items of another. */
function shareOfOwnWeight({ keys }: Plan): Step {
  const ofAgent = `OVER (PARTITION BY ${[...keys, 'block', 'agent_key'].join(', ')})`;
  return step('shares', 'The share of a result in the weight of its agent in a block.', {
    columns: ['*', as(`own_weight / sum(own_weight) ${ofAgent}`, 'share')],
  });
}

/**
 * The number of an agent's results in a block, for each of them: its place among them from the front, and from the
 * back. Sorting or grouping the results by agent takes longer, and more memory if agents have few results in a block.
 */
const equalShares = `arrayMap((place, place_from_end) -> 1 / (place + place_from_end - 1),
    arrayEnumerateUniq(block_agents),
    arrayReverse(arrayEnumerateUniq(arrayReverse(block_agents))))`;

/** Arrays of the results in each block. A block can be without any, if all values are NULL. */
function blocksStep({ keys }: Plan, results: NormalisedResults, shares: string): Step {
  return step('blocks', 'Hours of the schedule: in a block each agent has the same weight.', {
    columns: [
      ...keys,
      as(collect('value', results), 'block_values'),
      as(collect('agent_key', results), 'block_agents'),
      as(collect('unit_id', results), 'block_units'),
      as(shares, 'block_shares'),
      as('arrayMap(share -> share / arrayUniq(block_agents), block_shares)', 'block_weights'),
      ...results.aggregates.flatMap(ofPart),
    ],
    groupBy: [...keys, 'block'],
  });
}

/** SQL of an array of a column, without the results whose value is NULL. */
function collect(column: string, { hasNulls }: Pick<NormalisedResults, 'hasNulls'>): string {
  if (!hasNulls) return `groupArray(${column})`;
  return column === 'value' || column === 'share'
    ? `groupArrayIf(assumeNotNull(${column}), isNotNull(value))`
    : `groupArrayIf(${column}, isNotNull(value))`;
}

function pointsStep({ keys }: Plan, { aggregates }: NormalisedResults): Step {
  return step('points', 'The sorted values of each point: its blocks have equal weights.', {
    columns: [
      ...keys,
      as('groupArrayArray(block_values)', 'all_values'),
      as('groupArrayArray(block_weights)', 'all_weights'),
      as(sortedPoints('arrayZip(all_values, all_weights)', 'by value'), 'points'),
      as('sum(length(block_values))', 'samples'),
      as('uniqExactArray(block_agents)', 'agents'),
      as('uniqExactArray(block_units)', 'units'),
      ...aggregates.map(overParts),
    ],
    ...groupedBy(keys),
  });
}
