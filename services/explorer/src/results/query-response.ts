import type {
  AggregatedPoint,
  Metric,
  MetricQuery,
  MetricSeries,
  Warning,
} from '../../../../openapi/client/index.ts';
import { findMetric } from '../../../catalog/metrics.ts';
import { type Series, type SlotOf, toSeries } from '../series/series.ts';
import { fieldName } from '../form/splits-field.ts';
import type { RegionMap } from '../views/map-projection.ts';
import type { ApiResponse } from '../api/api-response.ts';
import { aggregationOf } from '../api/request-body.ts';
import type { Sides } from '../series/comparison-words.ts';
import { type EffectiveReport, effectiveReport } from '../state/report-options.ts';
import { comparedSides } from './compared-sides.ts';
import { type DataContext, metricOf } from '../state/data-context.ts';
import type { Aggregation, Query } from '../state/view-state.ts';

/** A response with its query. */
export interface QueryResponse {
  readonly query: Query;
  readonly request: MetricQuery;
  readonly report: EffectiveReport;
  /** Of the request. */
  readonly aggregation: Aggregation;
  /** The unit is % if the values are relative to a field. */
  readonly metric: Pick<Metric, 'key' | 'unit' | 'name' | 'better'>;
  readonly series: readonly Series[];
  /** The fields of the splits, for people. */
  readonly splitNames: readonly string[];
  /** Of the views `peak` and `change`. */
  readonly sides: Sides;
  /** Of the view `map`. */
  readonly map: RegionMap | undefined;
  readonly warnings: readonly Warning[];
  readonly tookMs: number;
  readonly queryId: string;
}

interface ResponseParts {
  readonly request: MetricQuery;
  readonly slotOf: SlotOf;
  readonly map: RegionMap | undefined;
  readonly tookMs: number;
}

export function toQueryResponse(
  query: Query,
  { metrics, fields }: DataContext,
  { data, headers, warnings }: ApiResponse<readonly MetricSeries[]>,
  { request, slotOf, map, tookMs }: ResponseParts,
): QueryResponse {
  const known = metricOf({ metrics }, query);
  const metric = known ?? { key: query.metric, unit: '', name: query.metric, better: null };
  const report = effectiveReport(query, known);
  return {
    query,
    request,
    report,
    aggregation: aggregationOf(query),
    metric: report.relativeTo === undefined ? metric : { ...metric, unit: '%' },
    splitNames: query.splits.map((id) => fieldName(fields, id)),
    series: toSeries(toDrawn(data, query), query.splits, slotOf),
    sides: comparedSides(query, report, fields),
    map,
    warnings,
    tookMs,
    queryId: headers.get('x-query-id') ?? '',
  };
}

/** Publishers of percentiles mostly give no mean. Their medians are drawn then. */
export function toDrawn(data: readonly MetricSeries[], { metric }: Query): readonly MetricSeries[] {
  if (findMetric(metric)?.stored === undefined) return data;
  return data.map((series) => ({
    ...series,
    metricData: (series.metricData as AggregatedPoint[]).map((point) => ({
      ...point,
      metricValue: point.metricValue ?? point.median,
    })),
  }));
}
