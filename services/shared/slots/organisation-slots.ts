import { AppError } from '../errors/app-error.ts';
import { retryAfter } from '../http/retry-after.ts';

interface Waiting {
  readonly start: () => void;
}

/** Releases a slot. Further calls have no effect. */
export type ReleaseSlot = () => void;

/** Limits concurrent work per organisation. More of it is queued, first in, first out. */
export class OrganisationSlots {
  readonly #work: string;
  readonly #perOrganisation: number;
  readonly #maxWaitMs: number;
  readonly #running = new Map<number, number>();
  readonly #waiting = new Map<number, Set<Waiting>>();
  #refused = 0;

  /** `work` names what is limited, in the message to the client: `running queries`. */
  constructor(work: string, perOrganisation: number, maxWaitMs: number) {
    this.#work = work;
    this.#perOrganisation = perOrganisation;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Totals over all organisations; `refused` since the process started. */
  get counts(): { running: number; waiting: number; refused: number } {
    const total = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);
    return {
      running: total(this.#running.values()),
      waiting: total([...this.#waiting.values()].map(({ size }) => size)),
      refused: this.#refused,
    };
  }

  /** Whether the next one of the organisation is queued. */
  isFull(organisationId: number): boolean {
    return (this.#running.get(organisationId) ?? 0) >= this.#perOrganisation;
  }

  /** Throws RATE_LIMITED when no slot becomes free in time, and the signal's reason when aborted. */
  async acquire(organisationId: number, signal: AbortSignal): Promise<ReleaseSlot> {
    signal.throwIfAborted();
    if (this.isFull(organisationId)) await this.#waitForSlot(organisationId, signal);
    else this.#running.set(organisationId, (this.#running.get(organisationId) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (!isReleased) this.#release(organisationId);
      isReleased = true;
    };
  }

  #waitForSlot(organisationId: number, signal: AbortSignal): Promise<void> {
    const queue = this.#waiting.get(organisationId) ?? new Set<Waiting>();
    this.#waiting.set(organisationId, queue);
    return new Promise((resolve, reject) => {
      const dequeue = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        queue.delete(waiting);
        if (queue.size === 0) this.#waiting.delete(organisationId);
      };
      const waiting: Waiting = {
        start: () => {
          dequeue();
          resolve();
        },
      };
      const onAbort = () => {
        dequeue();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        dequeue();
        this.#refused++;
        reject(noFreeSlot(this.#work, this.#perOrganisation));
      }, this.#maxWaitMs);
      signal.addEventListener('abort', onAbort);
      queue.add(waiting);
    });
  }

  // The slot is handed to the first in the queue, so that a newcomer cannot take it.
  #release(organisationId: number): void {
    const [next] = this.#waiting.get(organisationId) ?? [];
    if (next !== undefined) {
      next.start();
      return;
    }
    const running = (this.#running.get(organisationId) ?? 1) - 1;
    if (running === 0) this.#running.delete(organisationId);
    else this.#running.set(organisationId, running);
  }
}

export function noFreeSlot(work: string, limit: number): AppError {
  return new AppError('RATE_LIMITED', {
    publicMessage: `Your organisation already has ${limit} ${work}, the maximum. Please retry shortly.`,
    headers: retryAfter(1),
  });
}
