import type { Metric, MetricQuery } from '../../../../openapi/client/index.ts';
import { findMetric } from '../../../catalog/metrics.ts';
import { rangeBefore, rangeOf } from '../state/local-days.ts';
import {
  type EffectiveReport,
  effectiveReport,
  reportBody,
  selectionBody,
  windowBody,
} from '../state/report-options.ts';
import type { Aggregation, Query, QueryFilter } from '../state/view-state.ts';
import { betweenThresholds } from '../state/thresholds.ts';
import { peakHours } from '../state/week-hours.ts';

/** The aggregation that a view needs. */
export function aggregationOf({ view, aggregation, over, compare }: Query): Aggregation {
  if (view === 'trend') return aggregation;
  if (view === 'threshold') return over;
  if (view === 'change') return compare.over;
  return view === 'heatmap' ? 'hour_of_week' : 'total';
}

/** The request of a view; the same for data, SQL and export. The metric is undefined if it is unknown. */
export function requestBody(query: Query, metric: Metric | undefined): MetricQuery {
  const { splits } = query;
  const aggregation = aggregationOf(query);
  const report = effectiveReport(query, metric);
  return {
    metric: query.metric,
    ...(aggregation === 'raw'
      ? { chartType: 'raw' as const }
      : { chartType: 'aggregate' as const, aggregation, ...aggregateFields(query, report) }),
    normalised: query.normalised && hasHouseholds(query),
    prefilter: query.prefilter,
    ...(query.agentAgg && hasHouseholds(query) ? { agent_agg: true } : {}),
    ...(splits.length > 0 ? { splits: [...splits] } : {}),
    ...(filledIn(query.filters).length > 0 ? { filters: filtersBody(query.filters) } : {}),
    time: rangeOf(query),
    ...selectionBody(query, report),
    ...(query.view === 'peak' ? { window: windowBody(peakOf(report)) } : {}),
  };
}

/** The hours of the view `peak`: those of the form or the method, unless that is the whole week. */
export function peakOf({ of }: EffectiveReport): string {
  return of('window') ?? peakHours;
}

function aggregateFields(query: Query, report: EffectiveReport): Partial<MetricQuery> {
  const { view, intervals, relativeTo } = query;
  const between = betweenThresholds(query);
  const thresholds = between.length > 0 ? between : [query.threshold];
  const compare = compareBody(query, report);
  const body = reportBody(query, report);
  const field = report.relativeTo;
  return {
    ...(intervals === 'households' && hasHouseholds(query) ? { householdIntervals: true } : {}),
    ...(relativeTo === '' ? {} : { relativeTo: field === undefined ? null : { field } }),
    ...body,
    ...(view === 'threshold'
      ? {
          ...(report.of('statistic') === undefined ? { household: { statistic: 'mean' } } : {}),
          shares: { thresholds: [...new Set([...thresholds, ...(body.shares?.thresholds ?? [])])] },
        }
      : {}),
    ...(compare === undefined ? {} : { compare }),
  };
}

/** The households behind published percentiles are unknown. */
export function hasHouseholds({ metric }: Query): boolean {
  return findMetric(metric)?.stored === undefined;
}

/** Undefined in other views, and if there is no period before. */
function compareBody(query: Query, report: EffectiveReport): MetricQuery['compare'] | undefined {
  if (query.view === 'peak') {
    return { window: { ...windowBody(peakOf(report)), invert: true } };
  }
  if (query.view !== 'change') return undefined;
  const { compare } = query;
  const other = otherSide(query);
  return other && { ...other, ...(compare.isOfBoth ? { agents: 'both' } : {}) };
}

function otherSide(query: Query): MetricQuery['compare'] | undefined {
  const { compare } = query;
  switch (compare.with) {
    case 'before': {
      const time = rangeBefore(query);
      return time && { time };
    }
    case 'period':
      return { time: { from: compare.from, to: compare.to } };
    case 'group':
      return { filters: filtersBody(compare.filters) };
    case 'window':
      return {
        // The whole week is a window too.
        window: windowBody(compare.window) ?? { hours: Array.from({ length: 24 }, (_, i) => i) },
      };
    case 'known':
      return { knownAt: compare.knownAt };
    case 'rest':
      return { to: 'rest' };
  }
}

/** A filter is in the form before its first value is chosen. */
export function filledIn(filters: readonly QueryFilter[]): readonly QueryFilter[] {
  return filters.filter(({ values }) => values.length > 0);
}

function filtersBody(filters: readonly QueryFilter[]): NonNullable<MetricQuery['filters']> {
  return filledIn(filters).map(({ id, mode, values }) => ({
    id,
    filterType: mode,
    filterValues: [...values],
  }));
}
