import { AppError, retryAfter } from '../errors/app-error.ts';

interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

/** Releases a slot. Further calls have no effect. */
export type ReleaseSlot = () => void;

/**
 * Limits concurrent work per organisation. Heavy work takes several slots. Work over the limit is queued, first in, first
 * out: if light work could overtake, heavy work might wait forever.
 */
export class OrganisationSlots {
  readonly #work: string;
  readonly #perOrganisation: number;
  readonly #maxWaitMs: number;
  /** Slots in use. */
  readonly #used = new Map<number, number>();
  readonly #waiting = new Map<number, Set<Waiting>>();
  #running = 0;
  #refused = 0;

  /** `work` names what is limited, in the message to the client: `running queries`. */
  constructor(work: string, perOrganisation: number, maxWaitMs: number) {
    this.#work = work;
    this.#perOrganisation = perOrganisation;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Work of all organisations in this process, not slots; `refused` since it started. */
  get counts(): { running: number; waiting: number; refused: number } {
    const waiting = [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
    return { running: this.#running, waiting, refused: this.#refused };
  }

  /** Whether the next one of the organisation is queued. */
  isFull(organisationId: number, weight = 1): boolean {
    return this.#waiting.has(organisationId) || !this.#fits(organisationId, weight);
  }

  /**
   * Throws RATE_LIMITED when the slots do not become free in time, and the signal's reason when aborted. Heavy work waits
   * longer, because less of it runs at a time.
   */
  async acquire(organisationId: number, signal: AbortSignal, weight = 1): Promise<ReleaseSlot> {
    signal.throwIfAborted();
    if (this.isFull(organisationId, weight))
      await this.#waitForSlot(organisationId, signal, weight);
    else this.#take(organisationId, weight);
    let isReleased = false;
    return () => {
      if (!isReleased) this.#release(organisationId, weight);
      isReleased = true;
    };
  }

  #fits(organisationId: number, weight: number): boolean {
    return (this.#used.get(organisationId) ?? 0) + weight <= this.#perOrganisation;
  }

  #take(organisationId: number, weight: number): void {
    this.#used.set(organisationId, (this.#used.get(organisationId) ?? 0) + weight);
    this.#running++;
  }

  #waitForSlot(organisationId: number, signal: AbortSignal, weight: number): Promise<void> {
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
        weight,
        start: () => {
          dequeue();
          this.#take(organisationId, weight);
          resolve();
        },
      };
      // Those behind it may fit into the slots that it waited for.
      const leave = (error: Error) => {
        dequeue();
        this.#startNext(organisationId);
        reject(error);
      };
      const onAbort = () => leave(signal.reason as Error);
      const timer = setTimeout(() => {
        this.#refused++;
        leave(noFreeSlot(this.#work, this.#perOrganisation, weight));
      }, this.#maxWaitMs * weight);
      signal.addEventListener('abort', onAbort);
      queue.add(waiting);
    });
  }

  #release(organisationId: number, weight: number): void {
    const used = (this.#used.get(organisationId) ?? weight) - weight;
    if (used === 0) this.#used.delete(organisationId);
    else this.#used.set(organisationId, used);
    this.#running--;
    this.#startNext(organisationId);
  }

  // At once, so that a newcomer cannot take the slots.
  #startNext(organisationId: number): void {
    for (const { weight, start } of this.#waiting.get(organisationId) ?? []) {
      if (!this.#fits(organisationId, weight)) return;
      start();
    }
  }
}

export function noFreeSlot(work: string, limit: number, weight = 1): AppError {
  const size = weight === 1 ? '' : ` This one counts as ${weight}: a shorter range counts less.`;
  return new AppError('RATE_LIMITED', {
    publicMessage: `Your organisation already has ${limit} ${work}, the maximum.${size} Please retry shortly.`,
    headers: retryAfter(1),
  });
}

/** Slots for queries: of this process, or of all replicas. */
export type Slots = Pick<OrganisationSlots, 'acquire' | 'counts'>;

/** Listings are short: a request that waits longer is refused with 429. */
const maxWaitMs = 5_000;

/** Listings and other GET requests use the connections that all organisations share. */
export function listingSlots(config: { readonly maxRunningListings: number }): OrganisationSlots {
  return new OrganisationSlots('running listings', config.maxRunningListings, maxWaitMs);
}
