import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { DeferredWork } from '../../shared/tracing/deferred-work.ts';
import { type PublishedSnapshot, publishSnapshot, type PublishTools } from './publish-snapshot.ts';
import type { SnapshotMetrics } from './snapshot-metrics.ts';
import { statementTimeoutMs } from './statement-timeout.ts';

/** For changes by other processes: the CLI, other replicas. */
const pollMs = 1_000;
/** How often the version in ClickHouse is compared with Postgres. */
const compareIntervalMs = 5_000;
const firstRetryMs = 500;
const lastRetryMs = 10_000;
/** How long a shutdown waits for a running publication. The next start repeats an aborted one. */
const stopGraceMs = 5_000;
const heartbeatMs = 1_000;
/** An arbitrary number that no other lock uses. */
const publisherLock = 7_263_544_102;

interface Parts {
  readonly tools: PublishTools;
  readonly metrics: SnapshotMetrics;
  readonly logger: Logger;
  /** Aborts running ClickHouse statements. */
  readonly abort: () => void;
}

/**
 * Publishes a snapshot after every change. Every replica runs a publisher; a lock lets one of them work
 * at a time. Changes during a publication are included in the next one.
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

  /** The error of the last attempt; undefined if it succeeded. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** To be called after a change. Does not shorten the pause after a failure. */
  wake(): void {
    this.#work.addRequest();
    if (this.#failures === 0) this.#wakeUp.abort();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wakeUp.abort();
    const timer = setTimeout(this.#parts.abort, stopGraceMs);
    await this.#running;
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const published = await this.#attempt();
      if (!published) await this.#pause();
    }
  }

  async #attempt(): Promise<boolean> {
    try {
      const published = await this.#publishIfDue();
      this.#failures = 0;
      this.#lastError = undefined;
      return published;
    } catch (error) {
      this.#failures++;
      this.#lastError = String(error);
      this.#parts.metrics.failed();
      this.#parts.logger.warn('could not publish the snapshot; will retry', {
        error: this.#lastError,
        failures: this.#failures,
      });
      return false;
    }
  }

  async #publishIfDue(): Promise<boolean> {
    const { database, ledger, table } = this.#parts.tools;
    table.timeoutMs = statementTimeoutMs(await ledger.agentCount(), this.#failures);
    if (!(await this.#isDue())) return false;
    return database.transaction(async (transaction) => {
      const { rows } = await transaction.raw<{ rows: [{ locked: boolean }] }>(
        'select pg_try_advisory_xact_lock(?) as locked',
        [publisherLock],
      );
      // Check again: the previous holder of the lock may have published.
      if (!rows[0].locked || !(await this.#isDue())) return false;
      // Postgres ends transactions that are idle for too long.
      const heartbeat = setInterval(() => {
        transaction.raw('select 1').catch(() => undefined);
      }, heartbeatMs);
      try {
        const startedMs = Date.now();
        const published = await this.#work.traced('publish', () =>
          publishSnapshot(this.#parts.tools),
        );
        this.#record(published, Date.now() - startedMs);
        return true;
      } finally {
        clearInterval(heartbeat);
      }
    });
  }

  async #isDue(): Promise<boolean> {
    const { ledger, table } = this.#parts.tools;
    if (await ledger.isChangeWaiting()) return true;
    if (Date.now() - this.#comparedAtMs < compareIntervalMs) return false;
    // ClickHouse or Postgres may have been restored from a backup.
    const isBehind = (await table.latestVersion()) !== (await ledger.publishedVersion());
    if (!isBehind) this.#comparedAtMs = Date.now();
    return isBehind;
  }

  #record(published: PublishedSnapshot, durationMs: number): void {
    this.#comparedAtMs = Date.now();
    this.#parts.metrics.published(published, durationMs / 1000);
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
