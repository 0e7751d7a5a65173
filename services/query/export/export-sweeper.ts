import type { Logger } from '../../shared/logging/create-logger.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { ExportLedger } from './export-ledger.ts';
import { exportKeyOf, manifestOf } from './export-record.ts';

interface Parts {
  readonly ledger: ExportLedger;
  readonly store: ObjectStore;
  /** Ids of the exports that this process is running. */
  readonly alive: () => readonly string[];
  readonly everyMs: number;
  readonly logger: Logger;
}

const pruneEveryMs = 3_600_000;

/** Takes back what nobody may have any more: files that expired, pieces of exports that failed, and in the end the memory of them. */
export class ExportSweeper {
  readonly #parts: Parts;
  readonly #timer: NodeJS.Timeout;
  #sweeping: Promise<void>;
  #pruneDueMs = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#sweeping = this.#attempt(() => this.#sweepUnfinished());
    this.#timer = setInterval(() => void this.#next(), parts.everyMs);
    this.#timer.unref();
    void this.#next();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  #next(): Promise<void> {
    this.#sweeping = this.#sweeping.then(() => this.#attempt(() => this.#sweep()));
    return this.#sweeping;
  }

  async #sweep(): Promise<void> {
    const { ledger, store, alive } = this.#parts;
    await ledger.giveUpLost(alive());
    for (const lost of await ledger.unswept()) await sweepExport(ledger, store, lost);
    if (Date.now() < this.#pruneDueMs) return;
    await ledger.prune();
    this.#pruneDueMs = Date.now() + pruneEveryMs;
  }

  // At the start: what a killed process began, also where Postgres does not know of it any more. An
  // export is in Postgres before its first byte is in the store, so those of others are left alone.
  async #sweepUnfinished(): Promise<void> {
    const { ledger, store } = this.#parts;
    for await (const key of store.unfinished()) {
      const exportKey = exportKeyOf(key);
      if (exportKey === undefined || (await ledger.isRunning(exportKey))) continue;
      await store.discard(key);
    }
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.logger.warn('exports could not be swept', { error: String(error) });
    }
  }
}

export async function sweepExport(
  ledger: ExportLedger,
  store: ObjectStore,
  { id, key }: { readonly id: string; readonly key: string },
): Promise<void> {
  await store.discard(key);
  await store.discard(manifestOf({ key }).key);
  await ledger.swept(id);
}
