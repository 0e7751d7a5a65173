import {
  createQueryClient,
  type Export,
  type Field,
  type MetricQuery,
} from '../../../../openapi/client/index.ts';
import type { RegionMap } from '../views/map-projection.ts';
import { apiResponse, dataOf, requestSender } from './api-response.ts';

export type DataApi = ReturnType<typeof dataApi>;

/** The data interface, with one token. */
export function dataApi(token: string) {
  const client = createQueryClient({
    baseUrl: location.origin,
    token,
    fetch: requestSender('data interface'),
  });
  let regionMap: Promise<RegionMap> | undefined;
  const of = (id: string) => ({ params: { path: { id } } });
  return {
    metrics: () => dataOf(client.GET('/metrics')),
    /** For splits and filters. */
    fields: () => dataOf(client.GET('/filters')),
    /** Fields that values can be divided by. */
    numericFields: () => dataOf(client.GET('/splits', { params: { query: { numeric: true } } })),
    /** The values of a field that contain the words of a text, the best matches first. */
    fieldValues: ({ id }: Field, search: string) => {
      // The service rejects an empty search.
      const query = search === '' ? { limit: 50 } : { search, limit: 50 };
      return dataOf(client.GET('/filters/{id}/values', { params: { path: { id }, query } }));
    },
    metricData: (body: MetricQuery, signal: AbortSignal) =>
      apiResponse(client.POST('/metric_data', { body, signal }), signal),
    explain: (body: MetricQuery) => dataOf(client.POST('/metric_data/explain', { body })),
    startExport: async (body: MetricQuery) => {
      const call = client.POST('/metric_data.csv', {
        body,
        params: { header: { Prefer: 'respond-async' } },
      });
      // With this header the response is always 202.
      return (await dataOf<unknown>(call)) as Export;
    },
    exportState: (id: string) => dataOf(client.GET('/exports/{id}', of(id))),
    cancelExport: (id: string) => dataOf(client.DELETE('/exports/{id}', of(id))),
    /** Read once: the map is large. */
    regionMap: () => {
      regionMap ??= dataOf<unknown>(client.GET('/region-map')) as Promise<RegionMap>;
      regionMap.catch(() => (regionMap = undefined));
      return regionMap;
    },
    views: () => dataOf(client.GET('/views')),
    saveView: (name: string, state: string) =>
      dataOf(client.POST('/views', { body: { name, state } })),
    savedView: (id: string) => dataOf(client.GET('/views/{id}', of(id))),
    renameView: (id: string, name: string) =>
      dataOf(client.PATCH('/views/{id}', { ...of(id), body: { name } })),
    removeView: (id: string) => dataOf<undefined>(client.DELETE('/views/{id}', of(id))),
  };
}
