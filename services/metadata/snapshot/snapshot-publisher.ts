import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { DeferredWork } from '../../shared/tracing/deferred-work.ts';
import { type PublishedSnapshot, publishSnapshot, type PublishTools } from './publish-snapshot.ts';
import type { SnapshotMetrics } from './snapshot-metrics.ts';
import { statementTimeoutMs } from './statement-timeout.ts';

/** For changes made by other processes: the command line, other replicas. */
const pollMs = 1_000;
/** How often ClickHouse is asked whether it still has what was published. */
const compareEveryMs = 5_000;
const firstRetryMs = 500;
const lastRetryMs = 10_000;
/** How long a stop waits for a round; one that is cut off is finished by the next start. */
const stopGraceMs = 5_000;
const signOfLifeMs = 1_000;
/** Any number that nothing else locks on. */
const publisherLock = 7_263_544_102;

interface Parts {
  readonly tools: PublishTools;
  readonly figures: SnapshotMetrics;
  readonly logger: Logger;
  /** Cuts off what ClickHouse is asked. */
  readonly abort: () => void;
}

/**
 * Publishes a snapshot whenever one is due. Every replica runs one of these; a lock lets one of
 * them work at a time. Changes made during a round are all in the next one.
 */
export class SnapshotPublisher {
  readonly #parts: Parts;
  #running: Promise<void> = Promise.resolve();
  #stopping = false;
  #failures = 0;
  #comparedAtMs = 0;
  #wakeUp = new AbortController();
  readonly #work = new DeferredWork();
  #lastError: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Why the last attempt failed; undefined when it did not. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** A change was made. After a failure the pause is kept all the same. */
  wake(): void {
    this.#work.ask();
    if (this.#failures === 0) this.#wakeUp.abort();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wakeUp.abort();
    const cutOff = setTimeout(this.#parts.abort, stopGraceMs);
    await this.#running;
    clearTimeout(cutOff);
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const published = await this.#attempt();
      if (!published) await this.#pause();
    }
  }

  async #attempt(): Promise<boolean> {
    try {
      const published = await this.#round();
      this.#failures = 0;
      this.#lastError = undefined;
      return published;
    } catch (error) {
      this.#failures++;
      this.#lastError = String(error);
      this.#parts.figures.failed();
      this.#parts.logger.warn('snapshot not published; will be repeated', {
        error: this.#lastError,
        failures: this.#failures,
      });
      return false;
    }
  }

  async #round(): Promise<boolean> {
    const { database, ledger, table } = this.#parts.tools;
    table.timeoutMs = statementTimeoutMs(await ledger.agentCount(), this.#failures);
    if (!(await this.#isDue())) return false;
    return database.transaction(async (transaction) => {
      const { rows } = await transaction.raw<{ rows: [{ locked: boolean }] }>(
        'select pg_try_advisory_xact_lock(?) as locked',
        [publisherLock],
      );
      // Asked again, since the one who had the lock may just have done the work.
      if (!rows[0].locked || !(await this.#isDue())) return false;
      // Postgres ends a transaction that is idle for long, since its client may be lost.
      const signOfLife = setInterval(() => {
        transaction.raw('select 1').catch(() => undefined);
      }, signOfLifeMs);
      try {
        const startedMs = Date.now();
        const published = await this.#work.traced('publish', () =>
          publishSnapshot(this.#parts.tools),
        );
        this.#note(published, Date.now() - startedMs);
        return true;
      } finally {
        clearInterval(signOfLife);
      }
    });
  }

  async #isDue(): Promise<boolean> {
    const { ledger, table } = this.#parts.tools;
    if (await ledger.isChangeWaiting()) return true;
    if (Date.now() - this.#comparedAtMs < compareEveryMs) return false;
    // ClickHouse may have been emptied or restored, or Postgres may have.
    const isBehind = (await table.newestVersion()) !== (await ledger.publishedVersion());
    if (!isBehind) this.#comparedAtMs = Date.now();
    return isBehind;
  }

  #note(published: PublishedSnapshot, durationMs: number): void {
    this.#comparedAtMs = Date.now();
    this.#parts.figures.published(published, durationMs / 1000);
    const { version, rowCount, changeToVisibleS } = published;
    this.#parts.logger.info('snapshot published', {
      version,
      rowCount,
      changes: changeToVisibleS.length,
      durationMs,
    });
  }

  async #pause(): Promise<void> {
    const pauseMs =
      this.#failures === 0
        ? pollMs
        : Math.min(firstRetryMs * 2 ** (this.#failures - 1), lastRetryMs);
    await sleep(pauseMs, undefined, { signal: this.#wakeUp.signal }).catch(() => undefined);
    this.#wakeUp = new AbortController();
  }
}
