import type { AggregateMetricQuery } from '../../request/metric-query.ts';
import type { Household, Report } from '../../request/report/report.ts';

/** A report whose points are statistics of households. */
export interface HouseholdQuery extends AggregateMetricQuery {
  readonly report: Report & { readonly household: Household };
}

export function hasHouseholds(query: AggregateMetricQuery): query is HouseholdQuery {
  return query.report?.household !== undefined;
}

/** Whether the results of a household have different weights. */
export function isWeighted({ normalised, metric }: HouseholdQuery): boolean {
  return normalised || metric.measure.kind === 'ratio';
}
