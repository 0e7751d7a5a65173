import type { RequestHandler } from 'express';
import { callerOf } from '../http/request-context.ts';
import type { OrganisationSlots, ReleaseSlot } from './organisation-slots.ts';

/**
 * Runs a handler in a slot of the caller's organisation. The slot becomes free when the handler ends, even if the
 * client does not read the response.
 */
export function inSlot<P>(slots: OrganisationSlots, handler: RequestHandler<P>): RequestHandler<P> {
  return async (req, res, next) => {
    const disconnected = new AbortController();
    const onClose = () => disconnected.abort();
    res.once('close', onClose);
    let release: ReleaseSlot;
    try {
      release = await slots.acquire(callerOf(res).organisationId, disconnected.signal);
    } catch (error) {
      // The client has disconnected: there is no response to send.
      if (disconnected.signal.aborted) return;
      throw error;
    } finally {
      res.off('close', onClose);
    }
    try {
      await handler(req, res, next);
    } finally {
      release();
    }
  };
}
