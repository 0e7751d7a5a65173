import type { AggregateMetricQuery } from '../../request/metric-query.ts';
import type { Household, HouseholdStatistic, Report } from '../../request/report/report.ts';

/** A report whose points are statistics of households. */
export interface HouseholdQuery extends AggregateMetricQuery {
  readonly report: Report & { readonly household: Household };
}

export function hasHouseholds(query: AggregateMetricQuery): query is HouseholdQuery {
  return query.report?.household !== undefined;
}

/** Whether the values of its points are those of households. */
export function isOfHouseholds({ agentAgg, report }: AggregateMetricQuery): boolean {
  return agentAgg || report?.household !== undefined;
}

/** Whether its households have different weights. */
export function hasHouseholdWeights({ report }: AggregateMetricQuery): boolean {
  return report?.household !== undefined && report.weight !== undefined;
}

/**
 * Whether a household keeps its results as an array: to compare them with the bounds of its trim, and for
 * percentiles of results with weights. Other statistics are aggregated at once, which is faster.
 */
export function keepsResults(query: HouseholdQuery): boolean {
  const { household, consistent } = query.report;
  const hasPercentiles = household.statistic.kind === 'percentile' || consistent !== undefined;
  return household.trim !== undefined || (isWeighted(query) && hasPercentiles);
}

/** Whether the results of a household have different weights. */
export function isWeighted({ normalised, metric }: HouseholdQuery): boolean {
  return normalised || metric.measure.kind === 'ratio';
}

export function percentileOf(percent: number): HouseholdStatistic {
  return { kind: 'percentile', percent };
}
