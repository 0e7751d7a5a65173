import { randomUUID } from 'node:crypto';
import { AppError } from '../../shared/errors/app-error.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { currentTraceId, traced } from '../../shared/tracing/traced.ts';
import { retryAfter } from '../../shared/http/retry-after.ts';
import type { QueryCost } from '../execution/query-request.ts';
import type { ExportMetrics } from './export-metrics.ts';
import type { ExportJob } from './export-job.ts';
import type { ExportLimits } from './export-limits.ts';
import { exportKey } from './export-record.ts';
import { sweepExport } from './export-sweeper.ts';
import type { FileStats } from './file-content.ts';
import { makeFile, type MakeFileParts, type MakeFileSettings } from './make-file.ts';

interface Settings extends MakeFileSettings, ExportLimits {
  readonly exportKeepMs: number;
  readonly exportTimeoutMs: number;
  readonly exportHeartbeatMs: number;
}

interface Parts extends MakeFileParts {
  readonly settings: Settings;
  readonly exportMetrics: ExportMetrics;
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
  readonly #runnerId = randomUUID();
  readonly #running = new Map<string, Running>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get runningIds(): readonly string[] {
    return [...this.#running.keys()];
  }

  async start(job: ExportJob): Promise<RunningExport> {
    const { ledger, store, settings } = this.#parts;
    const id = randomUUID();
    const now = new Date();
    const { organisationId, tokenId, minAgents } = job.caller;
    const key = exportKey(store.keyPrefix, organisationId, now, `${id}.${job.format}`);
    const { kind, destination, format, request, metadataVersion } = job;
    const expiresAt = new Date(now.getTime() + settings.exportKeepMs);
    await ledger.begin(
      {
        id,
        organisationId,
        tokenId,
        kind,
        destination,
        format,
        request,
        key,
        metadataVersion,
        minAgents: minAgents === 0 ? null : minAgents,
        expiresAt,
        runnerId: this.#runnerId,
      },
      settings,
    );
    const controller = new AbortController();
    const finished = traced('export', { 'netpanel.export.format': format }, () =>
      this.#run(id, key, job, controller),
    );
    // Without a handler, a rejection that no request waits for would end the process.
    const ended = finished.catch(() => undefined).finally(() => this.#running.delete(id));
    this.#running.set(id, { controller, ended });
    return { id, finished };
  }

  /** Cancels an export of any process. Another process stops it at its next heartbeat. */
  async cancel(organisationId: number, id: string): Promise<void> {
    await this.#parts.ledger.cancel(organisationId, id);
    const running = this.#running.get(id);
    running?.controller.abort(new ExportCancelled());
    await running?.ended;
  }

  /** Waits for running exports. After the grace period the rest fail and their files are deleted. */
  async stop(graceMs: number): Promise<void> {
    const all = [...this.#running.values()];
    const timer = setTimeout(() => {
      for (const { controller } of all) controller.abort(serviceStopped());
    }, graceMs);
    await Promise.all(all.map(({ ended }) => ended));
    clearTimeout(timer);
  }

  async #run(id: string, key: string, job: ExportJob, controller: AbortController): Promise<void> {
    const { ledger, settings, exportMetrics, logger } = this.#parts;
    const ended = exportMetrics.begin(job.format);
    const startedMs = Date.now();
    const stats: FileStats = { rows: 0, bytes: 0, sha256: undefined };
    const heartbeat = setInterval(() => {
      this.#heartbeat(id, job, stats, controller).catch((error: unknown) => {
        logger.warn('export heartbeat failed', { id, error: String(error) });
      });
    }, settings.exportHeartbeatMs);
    try {
      const abort = (error: Error) => controller.abort(error);
      await makeFile(this.#parts, { id, key, job, stats, signal: controller.signal, abort });
      // With the final size: a short export has no other heartbeat.
      await this.#heartbeat(id, job, stats, controller);
      controller.signal.throwIfAborted();
      const isFinished = await ledger.finish(id, stats, job.cost, this.#expiryOf(startedMs));
      if (!isFinished) throw await this.#endedElsewhere(id);
      ended('done', stats);
      const { rows, bytes } = stats;
      logger.info('export done', { id, rows, bytes, traceId: currentTraceId() });
    } catch (thrown) {
      const error = toExportError(controller.signal.aborted ? controller.signal.reason : thrown);
      ended(error instanceof ExportCancelled ? 'cancelled' : 'failed', stats);
      await this.#recordFailure(id, key, error, job.cost);
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  }

  // A file is kept for so long from its completion, but not longer than the link that was given out while
  // the export ran.
  #expiryOf(startedMs: number): Date {
    const { exportKeepMs, exportTimeoutMs } = this.#parts.settings;
    return new Date(Math.min(Date.now(), startedMs + exportTimeoutMs) + exportKeepMs);
  }

  /** Aborts an export that was ended elsewhere, or whose organisation has used up its quota. */
  async #heartbeat(
    id: string,
    { caller }: ExportJob,
    stats: FileStats,
    controller: AbortController,
  ): Promise<void> {
    const { ledger, settings } = this.#parts;
    const reason = (await ledger.heartbeat(id, stats))
      ? await ledger.quotaError(caller.organisationId, settings)
      : await this.#endedElsewhere(id);
    if (reason !== undefined) controller.abort(reason);
  }

  /** The error of an export that was cancelled, or marked as failed by another replica. */
  async #endedElsewhere(id: string): Promise<AppError> {
    const record = await this.#parts.ledger.outcome(id);
    if (record?.status === 'cancelled') return new ExportCancelled();
    const publicMessage =
      record?.failureMessage ?? 'The export was interrupted. Please start it again.';
    return new AppError('SERVICE_UNAVAILABLE', { publicMessage, headers: retryAfter(5) });
  }

  // If this fails, the sweeper does it later.
  async #recordFailure(id: string, key: string, failure: AppError, cost: QueryCost): Promise<void> {
    const { ledger, store, logger } = this.#parts;
    try {
      const isFailed = await ledger.fail(id, failure, cost);
      // The update to `done` may have been committed although its response was lost.
      if (!isFailed && (await ledger.outcome(id))?.status === 'done') return;
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

function serviceStopped(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'The export was interrupted by a restart. Please start it again.',
  });
}

// Query errors are AppErrors. All others come from the store, such as a full disk.
function toExportError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'The export could not be stored. Please retry shortly.',
    cause: thrown,
  });
}
