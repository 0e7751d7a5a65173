import { aggregates } from '../../catalog/statistics.ts';
import { as, type Step } from '../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../request/metric-query.ts';
import { householdSteps } from './household-steps.ts';
import { weightedSteps } from './weighted-steps.ts';

/**
 * The steps from `results` to `statistics`, as defined in docs/statistics.md: one row per series and
 * bucket, with the keys, the counts and the aggregates of services/catalog/statistics.ts.
 */
export function statisticsSteps(
  query: AggregateMetricQuery,
  keys: readonly string[],
): readonly Step[] {
  if (query.agentAgg) return householdSteps(query, keys);
  const isWeighted = query.normalised || query.metric.measure.kind === 'ratio';
  return isWeighted ? weightedSteps(query, keys) : [plainStatistics(keys)];
}

/** All results have equal weight. */
function plainStatistics(keys: readonly string[]): Step {
  return {
    name: 'statistics',
    select: {
      columns: [
        ...keys,
        ...aggregates.map(({ name, unweighted }) => as(unweighted('value'), name)),
        as('count()', 'samples'),
        as('uniqExact(agent_key)', 'agents'),
        as('uniqExact(unit_id)', 'units'),
      ],
      from: 'results',
      groupBy: keys,
      // GROUP BY without keys returns one row even without results. A bucket without results is absent.
      having: 'samples > 0',
    },
  };
}
