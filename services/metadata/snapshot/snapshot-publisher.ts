import { PeriodicJob } from '../../shared/jobs/periodic-job.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { tryLocks, withAdvisoryLock } from '../../shared/postgres/with-advisory-lock.ts';
import { DeferredWork } from '../../shared/tracing/traced.ts';
import type { PublishLane } from './publish-lanes.ts';
import type { PublishedSnapshot } from './publish-tools.ts';
import type { SnapshotMetrics } from './snapshot-metrics.ts';
import { statementTimeoutMs } from './snapshot-statements.ts';

/** For changes by other processes: the CLI, other replicas. */
const pollMs = 250;
/** Organisations per reload of the dictionary: their changes become visible together. */
const organisationsPerReload = 100;
/** How long a shutdown waits for a running publication. The next start repeats an aborted one. */
const stopGraceMs = 5_000;
const laneLocks = { changes: lockTable.changesLane(), snapshots: lockTable.snapshotsLane() };

interface Parts {
  readonly lane: PublishLane;
  readonly metrics: SnapshotMetrics;
  readonly logger: Logger;
  /** Aborts running ClickHouse statements. */
  readonly abort: () => void;
}

/**
 * Publishes the metadata of an organisation after each of its changes. Every replica runs a publisher per
 * lane; a lock lets one of them work at a time. Changes during a publication are included in the next one. An
 * organisation that fails is retried later, while the others are published.
 */
export class SnapshotPublisher {
  readonly #parts: Parts;
  readonly #job: PeriodicJob;
  /** Of attempts that failed for all organisations. */
  #failures = 0;
  readonly #failing = new Backoff();
  readonly #work = new DeferredWork();
  #lastError: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#job = new PeriodicJob({
      // There may be more to publish, or a pause after a failure.
      run: async () => ((await this.#attempt()) ? 0 : this.#pauseMs),
      intervalMs: pollMs,
      failure: 'could not publish metadata',
      logger: parts.logger,
    });
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
    this.#job.start();
  }

  /** To be called after a change. Does not shorten the pause after a failure. */
  wake(): void {
    this.#work.addRequest();
    if (this.#failures === 0) this.#job.wake();
  }

  async stop(): Promise<void> {
    const timer = setTimeout(this.#parts.abort, stopGraceMs);
    await this.#job.stop();
    clearTimeout(timer);
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
    const { name, tools } = this.#parts.lane;
    const { database, ledger, statements } = tools;
    statements.timeoutMs = statementTimeoutMs(await ledger.agentCount(), this.#failures);
    const found = await this.#dueOrganisations();
    if (found.length === 0) return false;
    const hasPublished = await withAdvisoryLock(database, laneLocks[name], async (holder) => {
      const taken = await tryLocks(holder, found.map(lockTable.publication));
      const locked = new Set(taken.map(([, organisationId]) => organisationId));
      // Read again: the previous holder of a lock may have published.
      const due = (await this.#dueOrganisations()).filter((id) => locked.has(id));
      return due.length > 0 && this.#publish(due);
    });
    return hasPublished ?? false;
  }

  async #publish(due: readonly number[]): Promise<boolean> {
    const startedMs = performance.now();
    const { published, failed } = await this.#work.traced('publish', () =>
      this.#parts.lane.publish(due),
    );
    for (const [organisationId, error] of failed) this.#recordFailure(organisationId, error);
    for (const organisationId of due) {
      if (!failed.has(organisationId)) this.#failing.succeeded(organisationId);
    }
    for (const snapshot of published)
      this.#record(snapshot, Math.round(performance.now() - startedMs));
    return published.length > 0;
  }

  async #dueOrganisations(): Promise<readonly number[]> {
    const due = await this.#parts.lane.due();
    return due
      .filter((organisationId) => this.#failing.mayRetry(organisationId))
      .slice(0, organisationsPerReload);
  }

  #recordFailure(organisationId: number, error: unknown): void {
    this.#failing.failed(organisationId, String(error));
    this.#parts.metrics.failed();
    this.#parts.metrics.failing(this.#parts.lane.name, this.#failing.organisationIds.length);
    this.#parts.logger.warn('could not publish the metadata of an organisation; will retry', {
      organisationId,
      error: String(error),
    });
  }

  #record(published: PublishedSnapshot, durationMs: number): void {
    this.#parts.metrics.failing(this.#parts.lane.name, this.#failing.organisationIds.length);
    this.#parts.metrics.published(published, durationMs / 1000);
    const { organisationId, number, content, changeToVisibleS } = published;
    this.#parts.logger.info('metadata published', {
      organisationId,
      lane: this.#parts.lane.name,
      publication: number,
      rowCount: content.rowCount,
      changes: changeToVisibleS.length,
      durationMs,
    });
  }

  get #pauseMs(): number {
    return this.#failures === 0 ? pollMs : retryPauseMs(this.#failures);
  }
}

interface Failing {
  readonly failures: number;
  readonly retryAtMs: number;
  readonly error: string;
}

const firstRetryMs = 500;
const lastRetryMs = 10_000;
/** One organisation that fails for long must not take the time of the others. */
const lastOrganisationRetryMs = 300_000;

/** Organisations that could not be published, and when each is tried again. */
class Backoff {
  readonly #failing = new Map<number, Failing>();

  get organisationIds(): readonly number[] {
    return [...this.#failing.keys()];
  }

  get lastError(): string | undefined {
    const [last] = [...this.#failing].slice(-1);
    return last === undefined ? undefined : `organisation ${last[0]}: ${last[1].error}`;
  }

  mayRetry(organisationId: number): boolean {
    return performance.now() >= (this.#failing.get(organisationId)?.retryAtMs ?? 0);
  }

  failed(organisationId: number, error: string): void {
    const failures = (this.#failing.get(organisationId)?.failures ?? 0) + 1;
    const retryAtMs = performance.now() + retryPauseMs(failures, lastOrganisationRetryMs);
    this.#failing.set(organisationId, { failures, retryAtMs, error });
  }

  succeeded(organisationId: number): void {
    this.#failing.delete(organisationId);
  }
}

/** The pause doubles with each failure. */
function retryPauseMs(failures: number, maxMs = lastRetryMs): number {
  return Math.min(firstRetryMs * 2 ** (failures - 1), maxMs);
}
