import { once } from 'node:events';
import type { Response } from 'express';
import { tracedStream } from '../../shared/tracing/traced.ts';
import type { QueryRequest } from '../execution/query-request.ts';
import { ClientDisconnectedError } from '../../shared/http/client-disconnect.ts';
import { encoded } from '../../shared/http/encoded.ts';

/** Headers that depend on the compression. Called before the first byte. */
type FurtherHeaders = (encoding: string | undefined) => Promise<Readonly<Record<string, string>>>;

/**
 * Streams a body with backpressure, compressed if the client accepts it. The headers are sent with the
 * first chunk, so an error before it gets its own status. After it, the error handler closes the
 * connection.
 */
export async function sendStream(
  res: Response,
  contentType: string,
  chunks: AsyncIterable<Buffer>,
  { request, headers }: { readonly request: QueryRequest; readonly headers: FurtherHeaders },
): Promise<void> {
  const { signal } = request;
  try {
    const counted = tracedStream('stream', {}, countedBytes(chunks, request));
    const body = await encoded(res.req, counted);
    for await (const chunk of body.chunks) {
      signal.throwIfAborted();
      if (!res.headersSent) await setHeaders(body.encoding);
      if (!res.write(chunk)) await once(res, 'drain', { signal });
    }
    // A response without rows may have no bytes.
    if (!res.headersSent) await setHeaders(undefined);
    res.end();
  } catch (error) {
    if (signal.reason instanceof ClientDisconnectedError) return;
    throw error;
  }

  async function setHeaders(encoding: string | undefined): Promise<void> {
    res.set(await headers(encoding));
    res.type(contentType).vary('Accept').vary('Accept-Encoding');
    if (encoding !== undefined) res.set('Content-Encoding', encoding);
  }
}

/** The audit has the size before compression, as for the files of exports. */
async function* countedBytes(
  chunks: AsyncIterable<Buffer>,
  { cost }: QueryRequest,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    cost.bytesReturned += chunk.length;
    yield chunk;
  }
}
