import type {
  AggregatedPoint,
  Metric,
  MetricSeries,
  Warning,
} from '../../../../openapi/client/index.ts';
import { findMetric } from '../../../catalog/metrics.ts';
import { type Series, type SlotOf, toSeries } from '../series/series.ts';
import { fieldName } from '../form/splits-field.ts';
import type { RegionMap } from '../api/region-map.ts';
import type { ApiResponse } from '../api/api-response.ts';
import { aggregationOf, requestsOf } from '../api/request-body.ts';
import type { DataContext } from '../state/data-context.ts';
import type { Aggregation, Query } from '../state/view-state.ts';

/** A response with its query. */
export interface QueryResponse {
  readonly query: Query;
  /** Of the request. */
  readonly aggregation: Aggregation;
  /** The unit is % if the values are relative to a field. */
  readonly metric: Pick<Metric, 'key' | 'unit' | 'name' | 'better'>;
  readonly series: readonly Series[];
  /** The fields of the splits, for people. */
  readonly splitNames: readonly string[];
  /** Of the second request: off-peak, or the period before. */
  readonly compared: readonly Series[];
  /** The names of the requests: "Peak", "Off-peak". */
  readonly names: readonly string[];
  /** Of the view `map`. */
  readonly map: RegionMap | undefined;
  readonly warnings: readonly Warning[];
  readonly tookMs: number;
  readonly queryId: string;
}

interface ResponseParts {
  readonly slotOf: SlotOf;
  readonly map: RegionMap | undefined;
  readonly tookMs: number;
}

export function toQueryResponse(
  query: Query,
  { metrics, fields }: DataContext,
  responses: readonly ApiResponse<readonly MetricSeries[]>[],
  { slotOf, map, tookMs }: ResponseParts,
): QueryResponse {
  const metric = metrics.find(
    ({ key, aliases }) => key === query.metric || aliases.includes(query.metric),
  ) ?? { key: query.metric, unit: '', name: query.metric, better: null };
  const seriesOf = (response: ApiResponse<readonly MetricSeries[]> | undefined) =>
    toSeries(drawn(response?.data ?? [], query), query.splits, slotOf);
  return {
    query,
    aggregation: aggregationOf(query),
    metric: query.relativeTo === '' ? metric : { ...metric, unit: '%' },
    splitNames: query.splits.map((id) => fieldName(fields, id)),
    series: seriesOf(responses[0]),
    compared: seriesOf(responses[1]),
    names: requestsOf(query).map(({ name }) => name),
    map,
    warnings: responses[0]?.warnings ?? [],
    tookMs,
    queryId: responses[0]?.headers.get('x-query-id') ?? '',
  };
}

/** Publishers of percentiles mostly give no mean. Their medians are drawn then. */
function drawn(data: readonly MetricSeries[], { metric }: Query): readonly MetricSeries[] {
  if (findMetric(metric)?.stored === undefined) return data;
  return data.map((series) => ({
    ...series,
    metricData: (series.metricData as AggregatedPoint[]).map((point) => ({
      ...point,
      metricValue: point.metricValue ?? point.median,
    })),
  }));
}
