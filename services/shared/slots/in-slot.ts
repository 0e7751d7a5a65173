import type { RequestHandler, Response } from 'express';
import type { OrganisationSlots, ReleaseSlot } from './organisation-slots.ts';
import { whileConnected } from '../http/client-disconnect.ts';
import { callerOf } from '../http/request-context.ts';

/**
 * Runs a handler in a slot of the caller's organisation. The slot becomes free when the handler ends, even if the
 * client does not read the response.
 */
export function inSlot<P>(slots: OrganisationSlots, handler: RequestHandler<P>): RequestHandler<P> {
  return async (req, res, next) => {
    const release = await slotWhileConnected(slots, res);
    if (release === undefined) return;
    try {
      await handler(req, res, next);
    } finally {
      release();
    }
  };
}

/** Waits for a slot of the caller's organisation. Undefined if the client disconnects before it has one. */
export function slotWhileConnected(
  slots: OrganisationSlots,
  res: Response,
): Promise<ReleaseSlot | undefined> {
  const { organisationId } = callerOf(res);
  return whileConnected(res, (signal) => slots.acquire(organisationId, signal));
}
