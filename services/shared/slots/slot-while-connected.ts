import type { Response } from 'express';
import { clientDisconnect } from '../http/client-disconnect.ts';
import { callerOf } from '../http/request-context.ts';
import type { OrganisationSlots, ReleaseSlot } from './organisation-slots.ts';

/**
 * Waits for a slot of the caller's organisation. Undefined if the client disconnects before it has one:
 * there is no response to send.
 */
export async function slotWhileConnected(
  slots: OrganisationSlots,
  res: Response,
): Promise<ReleaseSlot | undefined> {
  const { signal } = clientDisconnect(res);
  try {
    return await slots.acquire(callerOf(res).organisationId, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
