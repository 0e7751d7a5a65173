import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { AppError } from '../errors/app-error.ts';

interface Watched {
  readonly req: Request;
  readonly res: Response;
  readonly next: NextFunction;
  /** The start of the current period, and what the connection had received then. */
  sinceMs: number;
  bytesBefore: number;
}

const periodMs = 10_000;
const intervalMs = 1_000;

/**
 * Responds with 408 to a request whose body arrives slower than this over ten seconds, and closes its connection. One
 * timer for all connections, so that slow ones cost nothing. 0: no limit.
 */
export function refuseSlowBodies(minBytesPerSecond: number): RequestHandler {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    const slow: Watched[] = [];
    for (const one of watched) {
      if (isReceived(one)) watched.delete(one);
      else if (isTooSlow(one, minBytesPerSecond)) slow.push(one);
    }
    for (const one of slow) watched.delete(one);
    void refuseEach(slow, minBytesPerSecond);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return (req, res, next) => {
    if (!req.complete && minBytesPerSecond > 0) {
      watched.add({ req, res, next, ...periodOf(req) });
      timer ??= setInterval(check, intervalMs).unref();
    }
    next();
  };
}

/** Other requests can run between two of a thousand responses. */
async function refuseEach(slow: readonly Watched[], minBytesPerSecond: number): Promise<void> {
  for (const one of slow) {
    if (!isReceived(one)) one.next(tooSlow(minBytesPerSecond));
    await nextTurn();
  }
}

/** Or there is a response already. */
function isReceived({ req, res }: Watched): boolean {
  return req.complete || req.destroyed || res.headersSent;
}

function isTooSlow(one: Watched, minBytesPerSecond: number): boolean {
  const { sinceMs, bytesBefore } = one;
  const { sinceMs: nowMs, bytesBefore: bytes } = periodOf(one.req);
  // The service does not read now: the client cannot send.
  const isFull = one.req.readableLength >= one.req.readableHighWaterMark;
  if (!isFull && nowMs - sinceMs < periodMs) return false;
  Object.assign(one, { sinceMs: nowMs, bytesBefore: bytes });
  return !isFull && bytes - bytesBefore < (minBytesPerSecond * (nowMs - sinceMs)) / 1000;
}

function periodOf({ socket }: Request): Pick<Watched, 'sinceMs' | 'bytesBefore'> {
  return { sinceMs: performance.now(), bytesBefore: socket.bytesRead };
}

function tooSlow(minBytesPerSecond: number): AppError {
  return new AppError('REQUEST_TIMEOUT', {
    publicMessage: `The request body arrived at less than ${minBytesPerSecond} bytes per second for ${periodMs / 1000} seconds. Send it faster, or in several smaller requests.`,
    headers: { Connection: 'close' },
  });
}
