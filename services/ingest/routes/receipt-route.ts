import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import { clientDisconnect } from '../../shared/http/client-disconnect.ts';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import { slotWhileConnected } from '../../shared/slots/in-slot.ts';
import type { Reservation } from '../body/memory-budget.ts';
import { type BodyLimits, openBody } from '../body/open-body.ts';
import type { ContentEncoding } from '../request/parse-results-request.ts';
import type { IngestTools } from './ingest-tools.ts';

/** What a request has of the service's resources. */
interface Share {
  readonly memory: Reservation;
  /** Waits for the organisation's next turn of the event loop. Throws if the client has disconnected. */
  readonly nextTurn: () => Promise<void>;
}

interface KeyedWork extends Pick<BodyLimits, 'maxBytes' | 'maxDecodedBytes'> {
  /** The Idempotency-Key; undefined: the request may run twice. */
  readonly key: string | undefined;
  readonly encoding: ContentEncoding;
  /** Reads the body and stores its results. */
  readonly run: (content: Readable) => Promise<object>;
}

/**
 * Runs requests with results in a slot of the organisation, with memory for the body. Over the limits a request is queued;
 * then the response is 429 or 503.
 */
export function receiptRoute(
  tools: IngestTools,
  workOf: (req: Request, res: Response, nextTurn: Share['nextTurn']) => KeyedWork,
): RequestHandler {
  const { slots, memory, turns, clock } = tools;
  return async (req, res) => {
    // Without it, current results would be refused as results of the future, and agents do not send those again.
    await clock.requireTrusted();
    const release = await slotWhileConnected(slots, res);
    if (release === undefined) return;
    const { signal } = clientDisconnect(res);
    const { organisationId } = callerOf(res);
    const reservation = memory.open(organisationId, signal);
    const nextTurn = () => turns.next(organisationId, signal);
    try {
      const work = workOf(req, res, nextTurn);
      await sendReceipt(tools, req, res, work, { memory: reservation, nextTurn });
    } catch (error) {
      // The client has disconnected, or its body was too slow and has a response.
      if (!signal.aborted && !res.writableEnded) throw error;
    } finally {
      reservation.free();
      release();
      // Discards the rest of a body that was refused: a client reads the response only when it has sent all.
      if (!req.readableEnded) req.resume();
    }
  };
}

/** Runs a request and sends its receipt, or that of an earlier request with the same key. */
async function sendReceipt(
  { keyed }: IngestTools,
  req: Request,
  res: Response,
  { key, encoding, run, ...limits }: KeyedWork,
  share: Share,
): Promise<void> {
  if (key === undefined) {
    await sendOk(res, { data: await run(openBody(req, encoding, { ...limits, share })) });
    return;
  }
  const hash = createHash('sha256');
  const content = openBody(req, encoding, { ...limits, share, hash });
  const { data, isReplayed } = await keyed.answer({
    organisationId: callerOf(res).organisationId,
    key,
    run: () => run(content),
    skip: () => readToEnd(content),
    // The same rows with other parameters, or for another test, are another request.
    sha256: () => hash.update(req.originalUrl).digest(),
  });
  res.set('Idempotency-Replayed', String(isReplayed));
  await sendOk(res, { data });
}

async function readToEnd(content: Readable): Promise<void> {
  content.resume();
  await new Promise((resolve, reject) => content.once('end', resolve).once('error', reject));
}
