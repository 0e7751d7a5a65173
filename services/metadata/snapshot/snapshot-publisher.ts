import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { DeferredWork } from '../../shared/tracing/deferred-work.ts';
import {
  type PublishedSnapshot,
  publishSnapshots,
  type PublishTools,
} from './publish-snapshots.ts';
import { Backoff, retryPauseMs } from './backoff.ts';
import type { SnapshotMetrics } from './snapshot-metrics.ts';
import { statementTimeoutMs } from './statement-timeout.ts';

/** For changes by other processes: the CLI, other replicas. */
const pollMs = 1_000;
/** How often the publications in ClickHouse are compared with Postgres. */
const compareIntervalMs = 5_000;
/** Each reload of the dictionary covers so many organisations: their changes become visible together. */
const organisationsPerReload = 100;
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
 * Publishes the metadata of an organisation after each of its changes. Every replica runs a publisher; a
 * lock lets one of them work at a time. Changes during a publication are included in the next one. An
 * organisation that fails is retried later, while the others are published.
 */
export class SnapshotPublisher {
  readonly #parts: Parts;
  #running: Promise<void> = Promise.resolve();
  #stopping = false;
  /** Of attempts that failed for all organisations. */
  #failures = 0;
  readonly #failing = new Backoff();
  #comparedAtMs = 0;
  #wakeUp = new AbortController();
  readonly #work = new DeferredWork();
  #lastError: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The error of the last attempt, or else of an organisation; undefined if all succeeded. */
  get lastError(): string | undefined {
    return this.#lastError ?? this.#failing.lastError;
  }

  /** Organisations whose last attempt failed. */
  get failingOrganisations(): readonly number[] {
    return this.#failing.organisationIds;
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
      this.#parts.logger.warn('could not publish metadata; will retry', {
        error: this.#lastError,
        failures: this.#failures,
      });
      return false;
    }
  }

  async #publishIfDue(): Promise<boolean> {
    const { database, ledger, table } = this.#parts.tools;
    table.timeoutMs = statementTimeoutMs(await ledger.agentCount(), this.#failures);
    if ((await this.#dueOrganisations()).length === 0) return false;
    return database.transaction(async (transaction) => {
      const { rows } = await transaction.raw<{ rows: [{ locked: boolean }] }>(
        'select pg_try_advisory_xact_lock(?) as locked',
        [publisherLock],
      );
      if (!rows[0].locked) return false;
      // Read again: the previous holder of the lock may have published.
      const due = await this.#dueOrganisations();
      if (due.length === 0) return false;
      // Postgres ends transactions that are idle for too long.
      const heartbeat = setInterval(() => {
        transaction.raw('select 1').catch(() => undefined);
      }, heartbeatMs);
      try {
        return await this.#publish(due);
      } finally {
        clearInterval(heartbeat);
      }
    });
  }

  async #publish(due: readonly number[]): Promise<boolean> {
    const startedMs = Date.now();
    const { published, failed } = await this.#work.traced('publish', () =>
      publishSnapshots(this.#parts.tools, due),
    );
    for (const [organisationId, error] of failed) this.#recordFailure(organisationId, error);
    for (const snapshot of published) this.#record(snapshot, Date.now() - startedMs);
    return published.length > 0;
  }

  /** Organisations with changes, or whose publication differs between the stores. */
  async #dueOrganisations(): Promise<readonly number[]> {
    const due = new Set(await this.#parts.tools.ledger.waitingOrganisations());
    if (Date.now() - this.#comparedAtMs >= compareIntervalMs) {
      const different = await this.#differentOrganisations();
      if (different.length === 0) this.#comparedAtMs = Date.now();
      for (const organisationId of different) due.add(organisationId);
    }
    return [...due]
      .filter((organisationId) => this.#failing.mayRetry(organisationId))
      .slice(0, organisationsPerReload);
  }

  // ClickHouse or Postgres may have been restored from a backup.
  async #differentOrganisations(): Promise<readonly number[]> {
    const { ledger, table } = this.#parts.tools;
    const inClickHouse = await table.publications();
    const inPostgres = await ledger.publications();
    return [...inPostgres]
      .filter(([organisationId, number]) => number !== (inClickHouse.get(organisationId) ?? 0))
      .map(([organisationId]) => organisationId);
  }

  #recordFailure(organisationId: number, error: unknown): void {
    this.#failing.failed(organisationId, String(error));
    this.#parts.metrics.failed();
    this.#parts.metrics.failing(this.#failing.organisationIds.length);
    this.#parts.logger.warn('could not publish the metadata of an organisation; will retry', {
      organisationId,
      error: String(error),
    });
  }

  #record(published: PublishedSnapshot, durationMs: number): void {
    this.#failing.succeeded(published.organisationId);
    this.#parts.metrics.failing(this.#failing.organisationIds.length);
    this.#parts.metrics.published(published, durationMs / 1000);
    const { organisationId, number, content, changeToVisibleS } = published;
    this.#parts.logger.info('metadata published', {
      organisationId,
      publication: number,
      rowCount: content.rowCount,
      changes: changeToVisibleS.length,
      durationMs,
    });
  }

  async #pause(): Promise<void> {
    const pauseMs = this.#failures === 0 ? pollMs : retryPauseMs(this.#failures);
    await sleep(pauseMs, undefined, { signal: this.#wakeUp.signal }).catch(() => undefined);
    this.#wakeUp = new AbortController();
  }
}
