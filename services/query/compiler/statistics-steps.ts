import { aggregates } from '../../catalog/statistics.ts';
import { as, type Step } from '../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../request/metric-query.ts';
import { householdSteps } from './household-steps.ts';
import { resultReasons } from './report/left-out.ts';
import { hasHouseholds } from './report/household-query.ts';
import { householdValueSteps } from './report/household-value-steps.ts';
import { overHouseholds } from './report/over-households.ts';
import { countedStep } from './report/counted-step.ts';
import { pooledSource } from './report/report-statistics.ts';
import { switcherSteps } from './report/report-results.ts';
import type { ResultSource } from './result-source.ts';
import { resultCounts, weightedSteps } from './weighted-steps.ts';

/**
 * The steps from `results` to `statistics`, as defined in docs/statistics.md: one row per series and
 * bucket, with the keys, the counts and the aggregates of services/catalog/statistics.ts.
 */
export function statisticsSteps(
  query: AggregateMetricQuery,
  keys: readonly string[],
): readonly Step[] {
  if (hasHouseholds(query)) {
    return [...householdValueSteps(query, keys), ...overHouseholds(query, keys)];
  }
  if (query.agentAgg) return householdSteps(query, keys);
  const reasons = query.report === undefined ? [] : resultReasons(query.report);
  const source = pooledSource(query, reasons);
  const isWeighted = query.normalised || query.metric.measure.kind === 'ratio';
  return [
    ...switcherSteps(query),
    ...(source.hasNulls ? [countedStep(query, keys, reasons)] : []),
    ...(isWeighted ? weightedSteps(query, keys, source) : [plainStatistics(keys, source)]),
  ];
}

/** All results have equal weight. */
function plainStatistics(keys: readonly string[], source: ResultSource): Step {
  const { from, hasNulls, columns, plainColumns } = source;
  return {
    name: 'statistics',
    select: {
      columns: [
        ...keys,
        ...aggregates.map(({ name, unweighted }) => as(unweighted('value'), name)),
        ...resultCounts(hasNulls),
        ...columns,
        ...plainColumns,
      ],
      from,
      groupBy: keys,
      // GROUP BY without keys returns one row even without results. A bucket without results is absent.
      having: hasNulls ? 'count() > 0' : 'samples > 0',
    },
  };
}
