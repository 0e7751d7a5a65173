import createClient, { type Client } from 'openapi-fetch';
import type { components as Ingest, paths as IngestPaths } from './ingest.ts';
import type { components as Metadata, paths as MetadataPaths } from './metadata.ts';
import type { components as Query, paths as QueryPaths } from './query.ts';

export interface ClientSettings {
  /** URL of the service, such as `https://data.example.net`. */
  readonly baseUrl: string;
  /** A token of this interface. */
  readonly token: string;
  /** A custom `fetch`, for example with a proxy, retries or logging. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** For JSON. Other formats: `{ headers: { Accept: 'text/csv' }, parseAs: 'stream' }`. */
export type QueryClient = Client<QueryPaths, 'application/json'>;
export type MetadataClient = Client<MetadataPaths>;
export type IngestClient = Client<IngestPaths, 'application/json'>;

/** The data interface: metric data, test data, exports and listings. */
export function createQueryClient({ token, ...settings }: ClientSettings): QueryClient {
  return createClient<QueryPaths, 'application/json'>({
    ...settings,
    headers: { Authorization: token },
  });
}

/** The metadata interface: the metadata of agents and its history. */
export function createMetadataClient({ token, ...settings }: ClientSettings): MetadataClient {
  return createClient<MetadataPaths>({
    ...settings,
    headers: { Authorization: `Bearer ${token}` },
  });
}

/**
 * The ingestion interface: results of tests. The token needs the scope `results:write`. A body that is a text is sent as it
 * is: `{ headers: { 'Content-Type': 'application/x-ndjson' }, body: lines }`.
 */
export function createIngestClient({ token, ...settings }: ClientSettings): IngestClient {
  return createClient<IngestPaths, 'application/json'>({
    ...settings,
    headers: { Authorization: `Bearer ${token}` },
    bodySerializer: (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body)),
  });
}

export type MetricQuery = Query['schemas']['MetricQuery'];
export type TestQuery = Query['schemas']['TestQuery'];
export type ExportFormat = Query['schemas']['ExportFormat'];
export type Export = Query['schemas']['Export'];
export type Explanation = Query['schemas']['Explanation'];
export type Metric = Query['schemas']['Metric'];
/** A field that results can be split and filtered by. */
export type Field = Query['schemas']['FiltersResponse']['data'][number];
/** A field that results can be split by. */
export type Split = Query['schemas']['Split'];
export type MetricSeries = Query['schemas']['MetricDataResponse']['data'][number];
export type Warning = Query['schemas']['Warning'];
export type ListedView = Query['schemas']['ListedView'];
export type ErrorResponse = Query['schemas']['ErrorResponse'];
/** A point of any request. Splits are further columns. */
export type MetricPoint = Query['schemas']['MetricPoint'];
/** A point of a request that is not for a report: it has all statistics, and at least one result. */
export type AggregatedPoint = MetricPoint &
  Required<Pick<MetricPoint, 'metricValue' | 'stdDev' | 'ci90' | 'ci95' | 'ci99'>> &
  Required<Pick<MetricPoint, 'min' | 'max' | 'median' | 'percentiles'>> &
  Record<'sampleCount' | 'agentCount' | 'unitCount', number>;
export type RawPoint = MetricPoint &
  Record<'dtime' | 'agent' | 'unit', string> & { readonly metricValue: number };
export type MetadataChange = Metadata['schemas']['MetadataChange'];
export type CustomFields = Metadata['schemas']['CustomFields'];
export type AgentMetadata = Metadata['schemas']['AgentMetadata'];
export type MetadataPeriod = Metadata['schemas']['MetadataPeriod'];
export type Agent = Metadata['schemas']['Agent'];
export type AgentChange = Metadata['schemas']['AgentChange'];
export type ChangeAuthor = Metadata['schemas']['ChangeAuthor'];
export type DryRun = Metadata['schemas']['DryRun'];
export type MetadataWarning = Metadata['schemas']['ChangeWarning'];
export type Receipt = Ingest['schemas']['Receipt'];
export type Reject = Ingest['schemas']['Reject'];
/** A point of either chart type; its splits are further columns. */
export type Point = AggregatedPoint | RawPoint;

/** Type guard: points are aggregated or raw, depending on `chartType`, if the request is not for a report. */
export function isAggregated(point: MetricPoint): point is AggregatedPoint {
  return 'sampleCount' in point && 'percentiles' in point;
}
