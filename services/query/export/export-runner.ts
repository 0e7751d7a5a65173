import { randomUUID } from 'node:crypto';
import { AppError, retryAfter } from '../../shared/errors/app-error.ts';
import { messagesOf } from '../../shared/errors/messages-of.ts';
import { doDue } from '../../shared/jobs/durable-job.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { currentTraceId, traced } from '../../shared/tracing/traced.ts';
import { ClickHouseUnavailable } from '../execution/to-query-error.ts';
import type { ExportOutcome, MeasureExport } from './export-metrics.ts';
import { maxAttempts } from './export-ledger.ts';
import { exportKey } from './export-record.ts';
import type { ExportConfig } from '../settings/export-settings.ts';
import type { FileStats } from './file-content.ts';
import { type ExportJob, type ExportTask, fileQuery, taskOf } from './export-task.ts';
import { makeFile, type MakeFileParts, sweepExport } from './make-file.ts';
import { exportWatch } from './waiting-downloads.ts';

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
  readonly #stopping = new AbortController();
  readonly #ended: ReturnType<typeof exportWatch>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#ended = exportWatch((id) => parts.ledger.outcome(id), parts.settings.exportHeartbeatMs);
  }

  get runningIds(): readonly string[] {
    return [...this.#running.keys()];
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted;
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
    const finished = this.#begin(task).catch((error: unknown) => this.#finishedAfter(error, id));
    return { id, finished };
  }

  /** Makes the files of exports again whose process has ended or has released them. */
  async resumeLost(): Promise<void> {
    const { ledger, clickHouseResponds, logger } = this.#parts;
    await doDue({
      due: async () => {
        const lost = await ledger.lost(this.runningIds);
        // Each attempt counts, so none is made in vain.
        return lost.length > 0 && (await clickHouseResponds()) ? lost : [];
      },
      claim: ledger.claim,
      run: (lost) => {
        logger.warn('export started again', { id: lost.id, attempt: lost.attempt });
        void this.#begin(taskOf(lost));
      },
    });
  }

  /** Waits for the next attempts of an export that lost ClickHouse, by this process or another one. */
  async #finishedAfter(error: unknown, id: string): Promise<void> {
    if (!(error instanceof ClickHouseUnavailable)) throw error;
    const record = await this.#ended(id, this.#stopping.signal);
    if (record?.status !== 'done') throw await this.#endedElsewhere(id);
  }

  #begin(task: ExportTask): Promise<void> {
    const { id, format } = task;
    const controller = new AbortController();
    const finished = traced('export', { 'netpanel.export.format': format }, () =>
      this.#run(task, controller),
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
    this.#stopping.abort(new ServiceStopped());
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

  async #run(task: ExportTask, controller: AbortController): Promise<void> {
    const { ledger, settings, measure, logger } = this.#parts;
    const { id, cost } = task;
    const ended = measure(task.format);
    const stats: FileStats = { rows: 0, bytes: 0, sha256: undefined };
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
      const abort = (error: Error) => controller.abort(error);
      await makeFile(this.#parts, { task, stats, signal: controller.signal, abort, confirm });
      const isFinished = await ledger.finish(id, stats, cost, this.#expiryOf(task));
      if (!isFinished) throw await this.#endedElsewhere(id);
      ended('done', stats);
      const { rows, bytes } = stats;
      logger.info('export done', { id, rows, bytes, traceId: currentTraceId() });
    } catch (thrown) {
      const error = toExportError(controller.signal.aborted ? controller.signal.reason : thrown);
      ended(outcomeOf(error, task), stats);
      await this.#recordFailure(task, error);
      throw error;
    } finally {
      clearInterval(heartbeat);
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
  async #recordFailure(task: ExportTask, failure: AppError): Promise<void> {
    const { ledger, store, logger } = this.#parts;
    const { id, key, cost } = task;
    try {
      if (outcomeOf(failure, task) === 'released') {
        logger.warn('export released', { id, error: messagesOf(failure) });
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

function outcomeOf(error: AppError, { attempt }: ExportTask): ExportOutcome {
  const mayTryAgain = error instanceof ClickHouseUnavailable && attempt < maxAttempts;
  if (mayTryAgain || error instanceof ServiceStopped) return 'released';
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
