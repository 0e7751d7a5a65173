import { Readable } from 'node:stream';
import type {
  ErrorResponse,
  MetricQuery,
  QueryClient,
  Warning,
} from '../../../openapi/client/index.ts';

const types = {
  table: 'application/x-ndjson',
  csv: 'text/csv',
  json: 'application/json',
} as const satisfies Record<string, string>;

export type Format = keyof typeof types;

type Sent =
  | { readonly error: ErrorResponse }
  | { readonly body: Readable; readonly warnings: readonly Warning[] };

/** The response as a stream, in the format of the output. */
export async function sendRequest(
  client: QueryClient,
  body: MetricQuery,
  format: Format,
): Promise<Sent> {
  const { data, error, response } = await client.POST('/metric_data', {
    body,
    headers: { Accept: types[format] },
    parseAs: 'stream',
  });
  if (error !== undefined) return { error };
  // openapi-fetch has no stream for an empty body, although its types say so.
  const stream = data as typeof data | undefined;
  // In JSON the warnings are part of the response.
  const warnings = response.headers.get('Netpanel-Warnings') ?? '[]';
  return {
    body: stream ? Readable.fromWeb(stream) : Readable.from([]),
    warnings: JSON.parse(warnings) as Warning[],
  };
}
