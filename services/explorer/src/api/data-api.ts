import type { Question } from '../state/view-state.ts';
import { type ApiAnswer, callApi } from './call-api.ts';
import type {
  Explanation,
  Export,
  Field,
  Metric,
  MetricSeries,
} from '../../../../openapi/client/index.ts';
import { requestBody } from './request-body.ts';

/** The data interface as its document describes it, asked with one token. */
export interface DataApi {
  readonly metrics: () => Promise<readonly Metric[]>;
  /** What can be split and filtered by, with the links to the values. */
  readonly fields: () => Promise<readonly Field[]>;
  readonly fieldValues: (field: Field, search: string) => Promise<readonly string[]>;
  readonly metricData: (
    question: Question,
    signal: AbortSignal,
  ) => Promise<ApiAnswer<readonly MetricSeries[]>>;
  readonly explain: (question: Question) => Promise<Explanation>;
  readonly startExport: (question: Question) => Promise<Export>;
  readonly exportState: (id: string) => Promise<Export>;
  readonly cancelExport: (id: string) => Promise<Export>;
}

export function dataApi(token: string): DataApi {
  const get = async <T>(path: string) => (await callApi<T>(path, { authorization: token })).data;
  const post = <T>(path: string, question: Question, more: { signal?: AbortSignal } = {}) =>
    callApi<T>(path, {
      method: 'POST',
      authorization: token,
      body: requestBody(question),
      ...more,
    });
  return {
    metrics: () => get('/metrics'),
    fields: () => get('/filters'),
    fieldValues: (field, search) => {
      // The contract takes a search or none, and refuses an empty one.
      const asked = search === '' ? { limit: '50' } : { search, limit: '50' };
      return get(`${field.values}?${new URLSearchParams(asked).toString()}`);
    },
    metricData: (question, signal) => post('/metric_data', question, { signal }),
    explain: async (question) => (await post<Explanation>('/metric_data/explain', question)).data,
    startExport: async (question) => {
      const { data } = await callApi<Export>('/metric_data.csv', {
        method: 'POST',
        authorization: token,
        body: requestBody(question),
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
