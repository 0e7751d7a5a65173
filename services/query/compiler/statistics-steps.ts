import { aggregates } from '../../catalog/statistics.ts';
import { as, type Step } from '../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../request/metric-query.ts';
import { householdSteps } from './household-steps.ts';
import { weightedSteps } from './weighted-steps.ts';

/**
 * The steps from `results` to `statistics`, as docs/statistics.md defines them: one row per series and
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

/** Every result counts the same. */
function plainStatistics(keys: readonly string[]): Step {
  return {
    name: 'statistics',
    select: {
      columns: [
        ...keys,
        ...aggregates.map(({ name, even }) => as(even('value'), name)),
        as('count()', 'samples'),
        as('uniqExact(agent_key)', 'agents'),
        as('uniqExact(unit_id)', 'units'),
      ],
      from: 'results',
      groupBy: keys,
      // Without keys there is one group even of no results at all: absent, not zero.
      having: 'samples > 0',
    },
  };
}
