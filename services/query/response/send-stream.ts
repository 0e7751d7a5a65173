import { once } from 'node:events';
import type { Response } from 'express';
import { tracedStream } from '../../shared/tracing/traced.ts';
import type { QueryRequest } from '../execution/query-request.ts';
import { ClientDisconnectedError } from './client-disconnect.ts';

/**
 * Streams JSON with backpressure. The headers are sent with the first chunk, so an error before it gets
 * its own status. After it, the error handler closes the connection.
 */
export async function sendStream(
  res: Response,
  chunks: AsyncIterable<Buffer>,
  { signal, cost }: QueryRequest,
): Promise<void> {
  try {
    for await (const chunk of tracedStream('stream', {}, chunks)) {
      signal.throwIfAborted();
      if (!res.headersSent) res.type('application/json');
      cost.bytesReturned += chunk.length;
      if (!res.write(chunk)) await once(res, 'drain', { signal });
    }
    res.end();
  } catch (error) {
    if (signal.reason instanceof ClientDisconnectedError) return;
    throw error;
  }
}
