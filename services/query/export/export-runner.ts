import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, retryAfter } from '../../shared/errors/app-error.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { currentTraceId, traced } from '../../shared/tracing/traced.ts';
import { ClickHouseUnavailable } from '../execution/to-query-error.ts';
import type { ExportOutcome, MeasureExport } from './export-metrics.ts';
import { exportKey } from './export-record.ts';
import type { ExportConfig } from '../settings/export-settings.ts';
import type { FileStats } from './file-content.ts';
import {
  type ExportJob,
  type ExportTask,
  fileQuery,
  type LostExport,
  taskOf,
} from './export-task.ts';
import { discardFiles, makeFile, type MakeFileParts, sweepExport, type Work } from './make-file.ts';

interface Parts extends MakeFileParts {
  readonly settings: ExportConfig;
  readonly measure: MeasureExport;
  readonly clickHouseResponds: () => Promise<boolean>;
  readonly logger: Logger;
}

/** A running export of this process. */
export interface RunningExport {
  readonly id: string;
  /** Rejects with an AppError on failure, with ExportCancelled on cancellation. */
  readonly finished: Promise<void>;
}

interface Running {
  readonly controller: AbortController;
  readonly ended: Promise<unknown>;
}

/** Runs exports in the background and records their progress and outcome. */
export class ExportRunner {
  readonly #parts: Parts;
  readonly #running = new Map<string, Running>();
  #isStopping = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get runningIds(): readonly string[] {
    return [...this.#running.keys()];
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  async start(job: ExportJob): Promise<RunningExport> {
    const { ledger, store, settings } = this.#parts;
    const id = randomUUID();
    const createdAt = new Date();
    const { organisationId, tokenId, minAgents } = job.caller;
    const { destination, format } = job;
    const key = exportKey(store.keyPrefix, organisationId, createdAt, `${id}.${format}`);
    const query = fileQuery(job, settings);
    const task: ExportTask = { ...job, id, key, attempt: 1, createdAt, organisationId, query };
    await ledger.begin(
      task,
      {
        tokenId,
        destination,
        minAgents: minAgents === 0 ? null : minAgents,
        expiresAt: new Date(createdAt.getTime() + settings.exportKeepMs),
      },
      settings,
    );
    return { id, finished: this.#begin(task) };
  }

  /** Makes the file of an export again whose process has ended. */
  resume(lost: LostExport): void {
    const { logger, store } = this.#parts;
    const { id, attempt } = lost;
    logger.warn('export started again', { id, attempt });
    void this.#begin(taskOf(lost), () => discardFiles(store, lost.key));
  }

  #begin(task: ExportTask, prepare?: () => Promise<void>): Promise<void> {
    const { id, format } = task;
    const controller = new AbortController();
    const finished = traced('export', { 'netpanel.export.format': format }, () =>
      this.#run(task, controller, prepare),
    );
    // Without a handler, a rejection that no request waits for would end the process.
    const ended = finished.catch(() => undefined).finally(() => this.#running.delete(id));
    this.#running.set(id, { controller, ended });
    return finished;
  }

  /** Cancels an export of any process. Another process stops it at its next heartbeat. */
  async cancel(organisationId: number, id: string): Promise<void> {
    await this.#parts.ledger.cancel(organisationId, id);
    const running = this.#running.get(id);
    running?.controller.abort(new ExportCancelled());
    await running?.ended;
  }

  /** Called when a shutdown begins: other replicas start lost exports. */
  stopping(): void {
    this.#isStopping = true;
  }

  /** Waits for running exports. After the grace period another replica, or the next process, starts them again. */
  async stop(graceMs: number): Promise<void> {
    this.stopping();
    const all = [...this.#running.values()];
    const timer = setTimeout(() => {
      for (const { controller } of all) controller.abort(new ServiceStopped());
    }, graceMs);
    await Promise.all(all.map(({ ended }) => ended));
    clearTimeout(timer);
  }

  async #run(
    task: ExportTask,
    controller: AbortController,
    prepare?: () => Promise<void>,
  ): Promise<void> {
    const { ledger, settings, measure, logger } = this.#parts;
    const { id, cost } = task;
    const ended = measure(task.format);
    const stats = noStats();
    const heartbeat = setInterval(() => {
      this.#heartbeat(task, stats, controller).catch((error: unknown) => {
        logger.warn('export heartbeat failed', { id, error: String(error) });
      });
    }, settings.exportHeartbeatMs);
    const confirm = async () => {
      // With the final size: a short export has no other heartbeat.
      await this.#heartbeat(task, stats, controller);
      controller.signal.throwIfAborted();
    };
    try {
      await prepare?.();
      await this.#makeFile(task, { stats, signal: controller.signal, confirm });
      const isFinished = await ledger.finish(id, stats, cost, this.#expiryOf(task));
      if (!isFinished) throw await this.#endedElsewhere(id);
      ended('done', stats);
      const { rows, bytes } = stats;
      logger.info('export done', { id, rows, bytes, traceId: currentTraceId() });
    } catch (thrown) {
      const error = toExportError(controller.signal.aborted ? controller.signal.reason : thrown);
      ended(outcomeOf(error), stats);
      await this.#recordFailure(task, error);
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** Makes the file again when ClickHouse was lost, as another process does when this one ends. */
  async #makeFile(
    task: ExportTask,
    { signal, ...work }: Pick<Work, 'stats' | 'signal' | 'confirm'>,
  ): Promise<void> {
    const { ledger, store, logger } = this.#parts;
    for (let { attempt } = task; ;) {
      const failure = new AbortController();
      try {
        await makeFile(this.#parts, {
          ...work,
          task: { ...task, attempt },
          signal: AbortSignal.any([signal, failure.signal]),
          abort: (error) => failure.abort(error),
        });
        return;
      } catch (thrown) {
        signal.throwIfAborted();
        const error: unknown = failure.signal.aborted ? failure.signal.reason : thrown;
        if (!(error instanceof ClickHouseUnavailable)) throw error;
        const next = await ledger.nextAttempt(task.id);
        if (next === undefined) throw error;
        attempt = next;
        await discardFiles(store, task.key);
        Object.assign(work.stats, noStats());
        await this.#untilClickHouseResponds(error, signal);
        logger.warn('export started again', { id: task.id, attempt, error: String(error.cause) });
      }
    }
  }

  async #untilClickHouseResponds(lost: ClickHouseUnavailable, signal: AbortSignal): Promise<void> {
    const { clickHouseResponds, settings } = this.#parts;
    const giveUpAtMs = performance.now() + settings.exportTimeoutMs;
    while (!(await clickHouseResponds())) {
      if (performance.now() > giveUpAtMs) throw lost;
      await sleep(settings.exportHeartbeatMs, undefined, { signal });
    }
  }

  // A file is kept for so long from its completion, but not longer than the link that was given out while
  // the export ran.
  #expiryOf({ createdAt }: ExportTask): Date {
    const { exportKeepMs, exportTimeoutMs } = this.#parts.settings;
    return new Date(Math.min(Date.now(), createdAt.getTime() + exportTimeoutMs) + exportKeepMs);
  }

  /** Aborts an export that was ended elsewhere, or whose organisation has used up its quota. */
  async #heartbeat(
    { id, organisationId }: ExportTask,
    stats: FileStats,
    controller: AbortController,
  ): Promise<void> {
    const { ledger, settings } = this.#parts;
    const reason = (await ledger.heartbeat(id, stats))
      ? await ledger.quotaError(organisationId, settings)
      : await this.#endedElsewhere(id);
    if (reason !== undefined) controller.abort(reason);
  }

  /** The error of an export that was cancelled, or that another replica marked as failed or runs itself. */
  async #endedElsewhere(id: string): Promise<AppError> {
    const record = await this.#parts.ledger.outcome(id);
    if (record?.status === 'cancelled') return new ExportCancelled();
    const publicMessage =
      record?.failureMessage ?? 'The export was interrupted. Please start it again.';
    return new AppError('SERVICE_UNAVAILABLE', { publicMessage, headers: retryAfter(5) });
  }

  // If this fails, the sweeper does it later.
  async #recordFailure({ id, key, cost }: ExportTask, failure: AppError): Promise<void> {
    const { ledger, store, logger } = this.#parts;
    try {
      if (failure instanceof ServiceStopped) {
        await ledger.release(id);
        return;
      }
      const isFailed = await ledger.fail(id, failure, cost);
      const status = isFailed ? 'failed' : (await ledger.outcome(id))?.status;
      // The update to `done` may have been committed although its response was lost. `running`: another replica has
      // started the export again, and the file is its own.
      if (status === 'done' || status === 'running') return;
      await sweepExport(ledger, store, { id, key });
    } catch (error) {
      logger.warn('could not clean up a failed export', { id, error: String(error) });
    }
  }
}

function noStats(): FileStats {
  return { rows: 0, bytes: 0, sha256: undefined };
}

class ExportCancelled extends AppError {
  constructor() {
    super('EXPORT_CANCELLED');
  }
}

class ServiceStopped extends AppError {
  constructor() {
    super('SERVICE_UNAVAILABLE', {
      publicMessage: 'The service is restarting. The export is started again by another process.',
    });
  }
}

function outcomeOf(error: AppError): ExportOutcome {
  if (error instanceof ServiceStopped) return 'released';
  return error instanceof ExportCancelled ? 'cancelled' : 'failed';
}

// Query errors are AppErrors. All others come from the store, such as a full disk.
function toExportError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'The export could not be stored. Please retry shortly.',
    cause: thrown,
  });
}
