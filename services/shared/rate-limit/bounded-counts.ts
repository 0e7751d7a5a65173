import type { ClientRateLimitInfo, Options, Store } from 'express-rate-limit';
import { LRUCache } from 'lru-cache';

/** The memory of a limiter is at most a few megabytes, however many addresses call. */
const maxClients = 10_000;

/**
 * Counts requests per client in windows that begin with the client's first request. When there are too many
 * clients, the one that has not called for the longest time is forgotten.
 */
export class BoundedCounts implements Store {
  readonly localKeys = true;
  readonly #windows = new LRUCache<string, { totalHits: number; readonly resetTime: Date }>({
    max: maxClients,
  });
  #windowMs = 60_000;

  init({ windowMs }: Options): void {
    this.#windowMs = windowMs;
  }

  increment(key: string): ClientRateLimitInfo {
    const window = this.#current(key) ?? this.#open(key);
    window.totalHits++;
    return { ...window };
  }

  decrement(key: string): void {
    const window = this.#current(key);
    if (window !== undefined && window.totalHits > 0) window.totalHits--;
  }

  resetKey(key: string): void {
    this.#windows.delete(key);
  }

  #current(key: string) {
    const window = this.#windows.get(key);
    return window !== undefined && window.resetTime.getTime() > Date.now() ? window : undefined;
  }

  #open(key: string) {
    const window = { totalHits: 0, resetTime: new Date(Date.now() + this.#windowMs) };
    this.#windows.set(key, window);
    return window;
  }
}
