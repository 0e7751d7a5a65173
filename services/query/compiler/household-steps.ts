import { aggregates } from '../../catalog/statistics.ts';
import { as, type Step } from '../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../request/metric-query.ts';
import { meanOfResults } from './measured-value.ts';

/** Each household counts once, with the mean of its results, or if normalised, of its block means. */
export function householdSteps(
  query: AggregateMetricQuery,
  keys: readonly string[],
): readonly Step[] {
  return [
    ...(query.normalised ? overBlocks(query, keys) : overResults(query, keys)),
    {
      name: 'statistics',
      select: {
        columns: [
          ...keys,
          ...aggregates.map(({ name, unweighted }) => as(unweighted('household_mean'), name)),
          as('sum(household_samples)', 'samples'),
          as('count()', 'agents'),
          as('uniqExactArray(household_units)', 'units'),
        ],
        from: 'per_household',
        groupBy: keys,
        having: 'samples > 0',
      },
    },
  ];
}

function overResults({ metric }: AggregateMetricQuery, keys: readonly string[]): readonly Step[] {
  return [
    {
      name: 'per_household',
      select: {
        columns: [
          ...keys,
          as(meanOfResults(metric), 'household_mean'),
          as('count()', 'household_samples'),
          as('groupUniqArray(unit_id)', 'household_units'),
        ],
        from: 'results',
        groupBy: [...keys, 'agent_key'],
      },
    },
  ];
}

function overBlocks({ metric }: AggregateMetricQuery, keys: readonly string[]): readonly Step[] {
  return [
    {
      name: 'per_block',
      select: {
        columns: [
          ...keys,
          'agent_key',
          as(meanOfResults(metric), 'block_mean'),
          as('count()', 'block_samples'),
          as('groupUniqArray(unit_id)', 'block_units'),
        ],
        from: 'results',
        groupBy: [...keys, 'agent_key', 'block'],
      },
    },
    {
      name: 'per_household',
      select: {
        columns: [
          ...keys,
          as('avg(block_mean)', 'household_mean'),
          as('sum(block_samples)', 'household_samples'),
          as('groupUniqArrayArray(block_units)', 'household_units'),
        ],
        from: 'per_block',
        groupBy: [...keys, 'agent_key'],
      },
    },
  ];
}
