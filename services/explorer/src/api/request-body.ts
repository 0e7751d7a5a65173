import type { MetricQuery } from '../../../../openapi/client/index.ts';
import { findMetric } from '../../../catalog/metrics.ts';
import { rangeBefore, rangeOf } from '../state/local-days.ts';
import type { Aggregation, Query } from '../state/view-state.ts';

/** A request, and its name among several: "Peak", "Off-peak". */
export interface NamedRequest {
  readonly name: string;
  readonly body: MetricQuery;
}

/** Weekday evenings, when networks are busiest. */
export const peakWindow: NonNullable<MetricQuery['window']> = {
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  hours: [19, 20, 21, 22],
};

/** The requests of a view. Undefined for the second one if there is no period before. */
export function requestsOf(query: Query): readonly NamedRequest[] {
  const body = requestBody(query);
  if (query.view === 'peak') {
    return [
      { name: 'Peak', body },
      { name: 'Off-peak', body: { ...body, window: { ...peakWindow, invert: true } } },
    ];
  }
  if (query.view === 'change') {
    const before = rangeBefore(query);
    return [
      { name: 'This period', body },
      ...(before === undefined ? [] : [{ name: 'Period before', body: { ...body, time: before } }]),
    ];
  }
  return [{ name: '', body }];
}

/** The aggregation that a view needs. */
export function aggregationOf({ view, aggregation }: Query): Aggregation {
  if (view === 'trend') return aggregation;
  return view === 'heatmap' ? 'hour_of_week' : 'total';
}

/** The first request of a view; the same for data, SQL and export. */
export function requestBody(query: Query): MetricQuery {
  const { metric, splits } = query;
  // A filter is in the form before its first value is chosen.
  const filters = query.filters.filter(({ values }) => values.length > 0);
  const aggregation = aggregationOf(query);
  return {
    metric,
    ...(aggregation === 'raw'
      ? { chartType: 'raw' as const }
      : { chartType: 'aggregate' as const, aggregation, ...reportFields(query) }),
    normalised: query.normalised,
    prefilter: query.prefilter,
    ...(query.agentAgg ? { agent_agg: true } : {}),
    ...(splits.length > 0 ? { splits: [...splits] } : {}),
    ...(filters.length > 0
      ? {
          filters: filters.map(({ id, mode, values }) => ({
            id,
            filterType: mode,
            filterValues: [...values],
          })),
        }
      : {}),
    time: rangeOf(query),
  };
}

function reportFields(query: Query): Partial<MetricQuery> {
  const { view, metric, intervals, relativeTo, threshold } = query;
  // The households behind published percentiles are unknown.
  const hasHouseholds = findMetric(metric)?.stored === undefined;
  return {
    ...(intervals === 'households' && hasHouseholds ? { householdIntervals: true } : {}),
    ...(relativeTo === '' ? {} : { relativeTo: { field: relativeTo } }),
    ...(view === 'peak' ? { window: peakWindow } : {}),
    ...(view === 'threshold'
      ? { household: { statistic: 'mean' }, shares: { thresholds: [threshold] } }
      : {}),
  };
}
