import { AppError } from '../../shared/errors/app-error.ts';
import { retryAfter } from '../../shared/http/retry-after.ts';

interface Waiting {
  readonly bytes: number;
  readonly start: () => void;
}

/** Memory of one request. */
export interface Reservation {
  /** Throws SERVICE_UNAVAILABLE when there is no room. */
  growTo(bytes: number): void;
  free(): void;
}

/** Bounds the memory of all requests of the process. More requests are queued, first in, first out. */
export class MemoryBudget {
  readonly #maxBytes: number;
  readonly #maxWaitMs: number;
  readonly #waiting = new Set<Waiting>();
  #usedBytes = 0;
  #refused = 0;

  constructor(maxBytes: number, maxWaitMs: number) {
    this.#maxBytes = maxBytes;
    this.#maxWaitMs = maxWaitMs;
  }

  get counts(): { readonly usedBytes: number; readonly waiting: number; readonly refused: number } {
    return { usedBytes: this.#usedBytes, waiting: this.#waiting.size, refused: this.#refused };
  }

  /** Throws SERVICE_UNAVAILABLE when there is no room in time. */
  async reserve(bytes: number, signal: AbortSignal): Promise<Reservation> {
    signal.throwIfAborted();
    if (this.#waiting.size > 0 || !this.#fits(bytes)) await this.#wait(bytes, signal);
    else this.#usedBytes += bytes;
    let reserved = bytes;
    return {
      // Does not wait: two requests that wait for each other's memory would never end.
      growTo: (needed) => {
        if (needed <= reserved) return;
        if (!this.#fits(needed - reserved)) {
          this.#refused++;
          throw noMemory();
        }
        this.#usedBytes += needed - reserved;
        reserved = needed;
      },
      free: () => {
        this.#free(reserved);
        reserved = 0;
      },
    };
  }

  #fits(bytes: number): boolean {
    return this.#usedBytes + bytes <= this.#maxBytes;
  }

  #wait(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const dequeue = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        bytes,
        start: () => {
          dequeue();
          resolve();
        },
      };
      const onAbort = () => {
        dequeue();
        this.#startWaiting();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        dequeue();
        this.#refused++;
        this.#startWaiting();
        reject(noMemory());
      }, this.#maxWaitMs);
      signal.addEventListener('abort', onAbort);
      this.#waiting.add(waiting);
    });
  }

  #free(bytes: number): void {
    this.#usedBytes -= bytes;
    this.#startWaiting();
  }

  #startWaiting(): void {
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting.bytes)) return;
      this.#usedBytes += waiting.bytes;
      waiting.start();
    }
  }
}

function noMemory(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'The service is receiving too many results at once. Please retry shortly.',
    headers: retryAfter(2),
  });
}
