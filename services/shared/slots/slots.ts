import type { ReleaseSlot } from './organisation-slots.ts';

/** Limits concurrent work per organisation. */
export interface Slots {
  /** Totals over all organisations in this process; `refused` since it started. */
  readonly counts: {
    readonly running: number;
    readonly waiting: number;
    readonly refused: number;
  };
  /** Throws RATE_LIMITED when no slot becomes free in time, and the signal's reason when aborted. */
  acquire(organisationId: number, signal: AbortSignal): Promise<ReleaseSlot>;
}
