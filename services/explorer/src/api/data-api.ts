import {
  createQueryClient,
  type Explanation,
  type Export,
  type Field,
  type Metric,
  type MetricQuery,
  type MetricSeries,
  type Split,
} from '../../../../openapi/client/index.ts';
import type { Query } from '../state/view-state.ts';
import { apiResponse, type ApiResponse, sendRequest } from './api-response.ts';
import { requestBody } from './request-body.ts';

/** The data interface, with one token. */
export interface DataApi {
  readonly metrics: () => Promise<readonly Metric[]>;
  /** Fields for splits and filters. */
  readonly fields: () => Promise<readonly Field[]>;
  /** Fields that values can be divided by. */
  readonly numericFields: () => Promise<readonly Split[]>;
  readonly fieldValues: (field: Field, search: string) => Promise<readonly string[]>;
  readonly metricData: (
    body: MetricQuery,
    signal: AbortSignal,
  ) => Promise<ApiResponse<readonly MetricSeries[]>>;
  readonly explain: (query: Query) => Promise<Explanation>;
  readonly startExport: (query: Query) => Promise<Export>;
  readonly exportState: (id: string) => Promise<Export>;
  readonly cancelExport: (id: string) => Promise<Export>;
}

export function dataApi(token: string): DataApi {
  const client = createQueryClient({ baseUrl: location.origin, token, fetch: sendRequest });
  const dataOf = async <T>(call: Parameters<typeof apiResponse<T>>[0]) =>
    (await apiResponse<T>(call)).data;
  const ofExport = (id: string) => ({ params: { path: { id } } });
  return {
    metrics: () => dataOf(client.GET('/metrics')),
    fields: () => dataOf(client.GET('/filters')),
    numericFields: () => dataOf(client.GET('/splits', { params: { query: { numeric: true } } })),
    fieldValues: ({ id }, search) => {
      // The service rejects an empty search.
      const query = search === '' ? { limit: 50 } : { search, limit: 50 };
      return dataOf(client.GET('/filters/{id}/values', { params: { path: { id }, query } }));
    },
    metricData: (body, signal) =>
      apiResponse(client.POST('/metric_data', { body, signal }), signal),
    explain: (query) => dataOf(client.POST('/metric_data/explain', { body: requestBody(query) })),
    startExport: async (query) => {
      const call = client.POST('/metric_data.csv', {
        body: requestBody(query),
        params: { header: { Prefer: 'respond-async' } },
      });
      // With this header the response is always 202.
      return (await dataOf<unknown>(call)) as Export;
    },
    exportState: (id) => dataOf(client.GET('/exports/{id}', ofExport(id))),
    cancelExport: (id) => dataOf(client.DELETE('/exports/{id}', ofExport(id))),
  };
}
