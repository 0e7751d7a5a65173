import type { AggregateMetricQuery } from '../request/metric-query.ts';
import { householdStatistics } from './household-statistics.ts';
import { plainStatistics } from './plain-statistics.ts';
import type { ResultRows } from './result-rows.ts';
import { weightedStatistics } from './weighted-statistics.ts';

/**
 * SELECT of the statistics of every series and bucket, as defined in docs/statistics.md: the keys,
 * then mean, deviation, effective_count, samples, agents, units, lowest, highest and quantiles (an
 * array, in the order of percentileNumbers).
 */
export function statistics(
  query: AggregateMetricQuery,
  rows: ResultRows,
  keys: StatisticsKeys,
): string {
  if (query.agentAgg) return householdStatistics(query, rows, keys);
  const isWeighted = query.normalised || query.metric.measure.kind === 'ratio';
  return isWeighted ? weightedStatistics(query, rows, keys) : plainStatistics(query, rows, keys);
}

/** What results are put together by. */
export interface StatisticsKeys {
  /** Names: the splits, then the bucket if there is one. */
  readonly names: readonly string[];
  /** Defines the bucket over a row, if there is one: `toDate(local_time) AS bucket`. */
  readonly bucket: readonly string[];
}
