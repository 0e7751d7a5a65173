import type { Metric, MetricSeries, Warning } from '../../../../openapi/client/index.ts';
import { toSeries, type Series } from '../series/series.ts';
import type { ApiResponse } from '../api/api-response.ts';
import type { Query } from '../state/view-state.ts';

/** A response with its query. */
export interface QueryResponse {
  readonly query: Query;
  readonly metric: Pick<Metric, 'key' | 'unit' | 'name'>;
  readonly series: readonly Series[];
  readonly warnings: readonly Warning[];
  readonly tookMs: number;
  readonly queryId: string;
}

export function toQueryResponse(
  query: Query,
  metrics: readonly Metric[],
  response: ApiResponse<readonly MetricSeries[]>,
  tookMs: number,
): QueryResponse {
  const metric = metrics.find(
    ({ key, aliases }) => key === query.metric || aliases.includes(query.metric),
  );
  return {
    query,
    metric: metric ?? { key: query.metric, unit: '', name: query.metric },
    series: toSeries(response.data, query.splits),
    warnings: response.warnings,
    tookMs,
    queryId: response.headers.get('x-query-id') ?? '',
  };
}
