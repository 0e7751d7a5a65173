import { AppError } from '../../shared/errors/app-error.ts';
import { retryAfter } from './to-query-error.ts';

interface Waiting {
  readonly start: () => void;
}

/** A place among an organisation's running queries; given back once, however the query ended. */
export type ReleaseSlot = () => void;

/** Lets each organisation run so many queries at once. The others wait in turn, for a while. */
export class QuerySlots {
  readonly #perOrganisation: number;
  readonly #maxWaitMs: number;
  readonly #running = new Map<number, number>();
  readonly #waiting = new Map<number, Set<Waiting>>();
  #refused = 0;

  constructor(perOrganisation: number, maxWaitMs: number) {
    this.#perOrganisation = perOrganisation;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Over all organisations; `refused` since the start. */
  get counts(): { running: number; waiting: number; refused: number } {
    const total = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);
    return {
      running: total(this.#running.values()),
      waiting: total([...this.#waiting.values()].map(({ size }) => size)),
      refused: this.#refused,
    };
  }

  /** Throws RATE_LIMITED when the turn does not come in time, and the signal's reason when aborted. */
  async acquire(organisationId: number, signal: AbortSignal): Promise<ReleaseSlot> {
    signal.throwIfAborted();
    const running = this.#running.get(organisationId) ?? 0;
    if (running < this.#perOrganisation) this.#running.set(organisationId, running + 1);
    else await this.#turn(organisationId, signal);
    let isReleased = false;
    return () => {
      if (!isReleased) this.#release(organisationId);
      isReleased = true;
    };
  }

  #turn(organisationId: number, signal: AbortSignal): Promise<void> {
    const queue = this.#waiting.get(organisationId) ?? new Set<Waiting>();
    this.#waiting.set(organisationId, queue);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        queue.delete(waiting);
        if (queue.size === 0) this.#waiting.delete(organisationId);
      };
      const waiting: Waiting = {
        start: () => {
          leave();
          resolve();
        },
      };
      const onAbort = () => {
        leave();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        leave();
        this.#refused++;
        reject(tooManyQueries(this.#perOrganisation));
      }, this.#maxWaitMs);
      signal.addEventListener('abort', onAbort);
      queue.add(waiting);
    });
  }

  // The place goes straight to whoever has waited longest, so that a newcomer cannot take it.
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

function tooManyQueries(limit: number): AppError {
  return new AppError('RATE_LIMITED', {
    publicMessage: `Your organisation is running ${limit} queries already, which is the limit. Please retry shortly.`,
    headers: retryAfter(1),
  });
}
