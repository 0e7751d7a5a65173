import { once } from 'node:events';
import type { Response } from 'express';
import { tracedStream } from '../../shared/tracing/traced.ts';
import { CallerLeft, type QueryRequest } from './query-request.ts';

/**
 * Sends JSON as it comes, no faster than the caller reads. The headers go with the first piece, so
 * an error before it has its own status; one after it breaks the connection, in the error handler.
 */
export async function sendStream(
  res: Response,
  pieces: AsyncIterable<Buffer>,
  { signal, cost }: QueryRequest,
): Promise<void> {
  try {
    for await (const piece of tracedStream('stream', {}, pieces)) {
      signal.throwIfAborted();
      if (!res.headersSent) res.type('application/json').set('X-Rows-Read', String(cost.rowsRead));
      cost.bytesReturned += piece.length;
      if (!res.write(piece)) await once(res, 'drain', { signal });
    }
    res.end();
  } catch (error) {
    // Nobody is there to be told.
    if (signal.reason instanceof CallerLeft) return;
    throw error;
  }
}
