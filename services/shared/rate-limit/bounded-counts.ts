import type { ClientRateLimitInfo, Options, Store } from 'express-rate-limit';
import { LRUCache } from 'lru-cache';

/** The memory of a limiter is at most a few megabytes, however many addresses call. */
const maxClients = 10_000;

interface Window {
  totalHits: number;
  /** Of the monotonic clock: a step of the clock neither ends a window nor prolongs it. */
  readonly endsAtMs: number;
}

/**
 * Counts requests per client in windows that begin with the client's first request. When there are too many
 * clients, the one that has not called for the longest time is forgotten.
 */
export class BoundedCounts implements Store {
  readonly localKeys = true;
  readonly #windows = new LRUCache<string, Window>({
    max: maxClients,
  });
  #windowMs = 60_000;

  init({ windowMs }: Options): void {
    this.#windowMs = windowMs;
  }

  increment(key: string): ClientRateLimitInfo {
    const window = this.#current(key) ?? this.#open(key);
    window.totalHits++;
    const leftMs = window.endsAtMs - performance.now();
    return { totalHits: window.totalHits, resetTime: new Date(Date.now() + leftMs) };
  }

  decrement(key: string): void {
    const window = this.#current(key);
    if (window !== undefined && window.totalHits > 0) window.totalHits--;
  }

  resetKey(key: string): void {
    this.#windows.delete(key);
  }

  #current(key: string): Window | undefined {
    const window = this.#windows.get(key);
    return window !== undefined && window.endsAtMs > performance.now() ? window : undefined;
  }

  #open(key: string): Window {
    const window = { totalHits: 0, endsAtMs: performance.now() + this.#windowMs };
    this.#windows.set(key, window);
    return window;
  }
}
