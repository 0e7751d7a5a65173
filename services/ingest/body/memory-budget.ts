import { AppError, retryAfter } from '../../shared/errors/app-error.ts';
import { OrganisationQueue } from '../../shared/slots/organisation-queue.ts';

/** Memory of one request. */
export interface Reservation {
  /** Waits while there is no room. Throws SERVICE_UNAVAILABLE when the request has waited too long in total. */
  growTo(bytes: number): Promise<void>;
  free(): void;
}

interface Holder {
  readonly organisationId: number;
  readonly signal: AbortSignal;
  bytes: number;
  /** How long the request may still wait, over all its waits. */
  leftMs: number;
  waiting?: Waiting;
}

interface Waiting {
  readonly holder: Holder;
  /** What the holder will have. */
  readonly bytes: number;
  readonly start: () => void;
  readonly refuse: () => void;
}

/**
 * Bounds the memory of all requests of the process. An organisation gets at most half of it. The last eighth of both is
 * for small requests, so that they never wait for larger ones. Requests over a limit are queued: organisations have
 * their turns one after another, and an organisation's requests come first in, first out.
 */
export class MemoryBudget {
  readonly #maxBytes: number;
  readonly #maxWaitMs: number;
  readonly #small = new OrganisationQueue<Waiting>();
  readonly #large = new OrganisationQueue<Waiting>();
  /** In the order of their beginning. */
  readonly #holders = new Set<Holder>();
  readonly #usedBy = new Map<number, number>();
  #usedBytes = 0;
  #refused = 0;

  constructor(maxBytes: number, maxWaitMs: number) {
    this.#maxBytes = maxBytes;
    this.#maxWaitMs = maxWaitMs;
  }

  /** `refused` since the process started. */
  get counts() {
    return {
      usedBytes: this.#usedBytes,
      running: this.#holders.size,
      waiting: this.#small.size + this.#large.size,
      refused: this.#refused,
    };
  }

  /** Reserves nothing yet: only received bytes count, because a client can announce any size. */
  open(organisationId: number, signal: AbortSignal): Reservation {
    const holder: Holder = { organisationId, signal, bytes: 0, leftMs: this.#maxWaitMs };
    this.#holders.add(holder);
    return {
      growTo: async (bytes) => {
        if (bytes <= holder.bytes) return;
        signal.throwIfAborted();
        const isFirst = this.#queueOf(bytes).size === 0;
        if (isFirst && this.#fits(holder, bytes)) this.#set(holder, bytes);
        else await this.#wait(holder, bytes);
      },
      free: () => {
        this.#holders.delete(holder);
        this.#set(holder, 0);
        this.#startWaiting();
        this.#endStandstill(organisationId);
      },
    };
  }

  #queueOf(bytes: number): OrganisationQueue<Waiting> {
    return bytes <= maxSmallBytes ? this.#small : this.#large;
  }

  #fits(holder: Holder, bytes: number): boolean {
    return this.#fitsShare(holder, bytes) && this.#fitsTotal(holder, bytes);
  }

  #fitsShare(holder: Holder, bytes: number): boolean {
    const ofOthers = (this.#usedBy.get(holder.organisationId) ?? 0) - holder.bytes;
    return ofOthers + bytes <= limitFor(bytes, this.#maxBytes / 2);
  }

  #fitsTotal(holder: Holder, bytes: number): boolean {
    return this.#usedBytes - holder.bytes + bytes <= limitFor(bytes, this.#maxBytes);
  }

  #set(holder: Holder, bytes: number): void {
    const { organisationId } = holder;
    const ofOrganisation = (this.#usedBy.get(organisationId) ?? 0) - holder.bytes + bytes;
    if (ofOrganisation === 0) this.#usedBy.delete(organisationId);
    else this.#usedBy.set(organisationId, ofOrganisation);
    this.#usedBytes += bytes - holder.bytes;
    holder.bytes = bytes;
  }

  #wait(holder: Holder, bytes: number): Promise<void> {
    const { organisationId, signal } = holder;
    const queue = this.#queueOf(bytes);
    const sinceMs = performance.now();
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        queue.remove(organisationId, waiting);
        delete holder.waiting;
        holder.leftMs -= performance.now() - sinceMs;
      };
      const waiting: Waiting = {
        holder,
        bytes,
        start: () => {
          end();
          resolve();
        },
        refuse: () => {
          end();
          this.#refused++;
          reject(noMemory());
        },
      };
      const onAbort = () => {
        end();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(waiting.refuse, Math.max(0, holder.leftMs));
      signal.addEventListener('abort', onAbort);
      holder.waiting = waiting;
      queue.add(organisationId, waiting);
      this.#startWaiting();
      this.#endStandstill(organisationId);
    });
  }

  #startWaiting(): void {
    for (const queue of [this.#small, this.#large]) {
      for (;;) {
        const next = queue.take(({ holder, bytes }) => this.#fits(holder, bytes));
        if (next === undefined) break;
        this.#set(next.holder, next.bytes);
        next.start();
      }
    }
  }

  /**
   * Resolves a deadlock: if all requests wait for each other's memory, refuses the one that began last, so that the others
   * can continue.
   */
  #endStandstill(organisationId: number): void {
    const all = [...this.#holders].filter(({ bytes }) => bytes > 0);
    const own = all.filter((holder) => holder.organisationId === organisationId);
    const areOwnStuck = own.every(
      (holder) => holder.waiting !== undefined && !this.#fitsShare(holder, holder.waiting.bytes),
    );
    if (areOwnStuck) own.at(-1)?.waiting?.refuse();
    else if (all.every(({ waiting }) => waiting !== undefined)) {
      const used = ({ organisationId: id }: Holder) => this.#usedBy.get(id) ?? 0;
      const most = Math.max(...all.map(used));
      all.findLast((holder) => used(holder) === most)?.waiting?.refuse();
    }
  }
}

/** Of a body of 64 KiB. */
const maxSmallBytes = 3 * 64 * 1024;

function limitFor(bytes: number, maxBytes: number): number {
  return bytes <= maxSmallBytes ? maxBytes : (maxBytes * 7) / 8;
}

function noMemory(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'The service is receiving too many results at once. Please retry shortly.',
    headers: retryAfter(2),
  });
}
