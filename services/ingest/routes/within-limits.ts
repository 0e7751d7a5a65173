import type { Request, RequestHandler, Response } from 'express';
import { clientDisconnect } from '../../shared/http/client-disconnect.ts';
import { slotWhileConnected } from '../../shared/slots/slot-while-connected.ts';
import type { Reservation } from '../body/memory-budget.ts';
import type { IngestTools } from './ingest-tools.ts';

type LimitedHandler = (req: Request, res: Response, memory: Reservation) => Promise<void>;

/**
 * Runs a handler in a slot of the organisation, with memory for its body. Over the limits a request is queued; then the
 * response is 429 or 503.
 */
export function withinLimits(
  { slots, memory, config }: IngestTools,
  handler: LimitedHandler,
): RequestHandler {
  return async (req, res) => {
    const release = await slotWhileConnected(slots, res);
    if (release === undefined) return;
    let reservation: Reservation | undefined;
    try {
      reservation = await memory.reserve(
        bytesInMemory(Math.min(sentBytes(req), config.maxResultsBytes)),
        clientDisconnect(res).signal,
      );
      await handler(req, res, reservation);
    } finally {
      reservation?.free();
      release();
      // Discards the rest of a body that was refused: a client reads the response only when it has sent all.
      if (!req.readableEnded) req.resume();
    }
  };
}

/** The memory of a body: its bytes, the rows to insert, and the buffers of the insert. */
export function bytesInMemory(bodyBytes: number): number {
  return 3 * bodyBytes;
}

/** 0 without Content-Length: then the reservation grows with the body. */
function sentBytes(req: Request): number {
  const length = Number(req.get('content-length') ?? 0);
  return Number.isSafeInteger(length) ? length : 0;
}
