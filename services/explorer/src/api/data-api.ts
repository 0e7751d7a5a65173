import type { Query } from '../state/view-state.ts';
import { type ApiResponse, callApi } from './call-api.ts';
import type {
  Explanation,
  Export,
  Field,
  Metric,
  MetricSeries,
} from '../../../../openapi/client/index.ts';
import { requestBody } from './request-body.ts';

/** The data interface, with one token. */
export interface DataApi {
  readonly metrics: () => Promise<readonly Metric[]>;
  /** Fields for splits and filters, with links to their values. */
  readonly fields: () => Promise<readonly Field[]>;
  readonly fieldValues: (field: Field, search: string) => Promise<readonly string[]>;
  readonly metricData: (
    query: Query,
    signal: AbortSignal,
  ) => Promise<ApiResponse<readonly MetricSeries[]>>;
  readonly explain: (query: Query) => Promise<Explanation>;
  readonly startExport: (query: Query) => Promise<Export>;
  readonly exportState: (id: string) => Promise<Export>;
  readonly cancelExport: (id: string) => Promise<Export>;
}

export function dataApi(token: string): DataApi {
  const get = async <T>(path: string) => (await callApi<T>(path, { authorization: token })).data;
  const post = <T>(path: string, query: Query, more: { signal?: AbortSignal } = {}) =>
    callApi<T>(path, {
      method: 'POST',
      authorization: token,
      body: requestBody(query),
      ...more,
    });
  return {
    metrics: () => get('/metrics'),
    fields: () => get('/filters'),
    fieldValues: (field, search) => {
      // The service rejects an empty search.
      const params = search === '' ? { limit: '50' } : { search, limit: '50' };
      return get(`${field.values}?${new URLSearchParams(params).toString()}`);
    },
    metricData: (query, signal) => post('/metric_data', query, { signal }),
    explain: async (query) => (await post<Explanation>('/metric_data/explain', query)).data,
    startExport: async (query) => {
      const { data } = await callApi<Export>('/metric_data.csv', {
        method: 'POST',
        authorization: token,
        body: requestBody(query),
        headers: { Prefer: 'respond-async' },
      });
      return data;
    },
    exportState: (id) => get(`/exports/${encodeURIComponent(id)}`),
    cancelExport: async (id) => {
      const path = `/exports/${encodeURIComponent(id)}`;
      return (await callApi<Export>(path, { method: 'DELETE', authorization: token })).data;
    },
  };
}
