import type { RequestHandler } from 'express';
import type { OrganisationSlots } from './organisation-slots.ts';
import { slotWhileConnected } from './slot-while-connected.ts';

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
