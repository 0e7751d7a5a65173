import { setTimeout as sleep } from 'node:timers/promises';
import type { ExportRecord } from './export-record.ts';

interface Parts {
  readonly find: (id: string) => Promise<ExportRecord | undefined>;
  readonly intervalMs: number;
}

interface Waiting {
  readonly resolve: (record: ExportRecord | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Waits for running exports of any process. One loop reads the records, one after the other, so that
 * it uses one connection to Postgres, however many requests wait.
 */
export class ExportWatch {
  readonly #parts: Parts;
  readonly #waiting = new Map<string, Set<Waiting>>();
  #isPolling = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Resolves with the record when the export is not running any more; undefined if the record does not
   * exist. Throws the signal's reason when aborted.
   */
  async ended(id: string, signal: AbortSignal): Promise<ExportRecord | undefined> {
    signal.throwIfAborted();
    const { promise, ...waiting } = withResolvers();
    const onAbort = () => waiting.reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    const all = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, all.add(waiting));
    void this.#poll();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      all.delete(waiting);
      if (all.size === 0) this.#waiting.delete(id);
    }
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    while (this.#waiting.size > 0) {
      await sleep(this.#parts.intervalMs);
      for (const [id, all] of [...this.#waiting]) await this.#check(id, all);
    }
    this.#isPolling = false;
  }

  async #check(id: string, all: ReadonlySet<Waiting>): Promise<void> {
    if (all.size === 0) return;
    try {
      const record = await this.#parts.find(id);
      if (record?.status === 'running') return;
      for (const { resolve } of all) resolve(record);
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  }
}

// Promise.withResolvers needs Node 22.
function withResolvers(): Waiting & { readonly promise: Promise<ExportRecord | undefined> } {
  let resolve: Waiting['resolve'] = () => undefined;
  let reject: Waiting['reject'] = () => undefined;
  const promise = new Promise<ExportRecord | undefined>(
    (...settle) => ([resolve, reject] = settle),
  );
  return { promise, resolve, reject };
}
