import type { Logger } from '../../shared/logging/create-logger.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { ExportLedger } from './export-ledger.ts';
import type { ExportRunner } from './export-runner.ts';
import { sweepExport } from './sweep-export.ts';
import { exportKeyOf } from './export-record.ts';

interface Parts {
  readonly ledger: ExportLedger;
  readonly store: ObjectStore;
  readonly runner: ExportRunner;
  readonly intervalMs: number;
  readonly logger: Logger;
}

const pruneEveryMs = 3_600_000;

/** Starts lost exports again, deletes expired files, partial files of failed exports, and old export records. */
export class ExportSweeper {
  readonly #parts: Parts;
  readonly #timer: NodeJS.Timeout;
  #sweeping: Promise<void>;
  #pruneDueMs = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#sweeping = this.#attempt(() => this.#sweepUnfinished());
    this.#timer = setInterval(() => void this.#next(), parts.intervalMs);
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
    const { ledger, store, runner } = this.#parts;
    if (!runner.isStopping) {
      for (const lost of await ledger.claimLost(runner.runningIds)) runner.resume(lost);
    }
    await ledger.failLost(runner.runningIds);
    for (const unswept of await ledger.unswept()) await sweepExport(ledger, store, unswept);
    if (Date.now() < this.#pruneDueMs) return;
    await ledger.prune();
    this.#pruneDueMs = Date.now() + pruneEveryMs;
  }

  // At startup: deletes partial files of a killed process, even without a record in Postgres. Exports
  // of other processes are safe: their record is committed before the first byte is written.
  async #sweepUnfinished(): Promise<void> {
    const { ledger, store } = this.#parts;
    for await (const key of store.unfinished()) {
      const exportKey = exportKeyOf(key);
      if (exportKey === undefined || (await ledger.isRunning(exportKey))) continue;
      // Another process may have completed the file since it was listed.
      await store.discardPartial(key);
    }
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.logger.warn('could not clean up exports', { error: String(error) });
    }
  }
}
