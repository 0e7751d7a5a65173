import { randomUUID } from 'node:crypto';
import { AppError } from '../../shared/errors/app-error.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { currentTraceId, traced } from '../../shared/tracing/traced.ts';
import { retryAfter } from '../execution/to-query-error.ts';
import type { ExportFigures } from './export-figures.ts';
import type { ExportOrder } from './export-order.ts';
import { exportKey } from './export-record.ts';
import { sweepExport } from './export-sweeper.ts';
import type { FileFigures } from './file-content.ts';
import { makeFile, type MakeFileParts, type MakeFileSettings } from './make-file.ts';

interface Settings extends MakeFileSettings {
  readonly maxRunningExports: number;
  readonly exportKeepMs: number;
  readonly exportHeartbeatMs: number;
}

interface Parts extends MakeFileParts {
  readonly settings: Settings;
  readonly exportFigures: ExportFigures;
  readonly logger: Logger;
}

/** An export on its way in this process. */
export interface RunningExport {
  readonly id: string;
  /** Rejects with the AppError it failed by, ExportCancelled among them. */
  readonly finished: Promise<void>;
}

interface Running {
  readonly controller: AbortController;
  readonly ended: Promise<unknown>;
}

/** Runs exports in the background, and answers for each until its file is there or it is gone. */
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

  async start(order: ExportOrder): Promise<RunningExport> {
    const { ledger, store, settings } = this.#parts;
    const id = randomUUID();
    const now = new Date();
    const { organisationId, tokenId } = order.caller;
    const key = exportKey(store.keyPrefix, organisationId, now, `${id}.${order.format}`);
    const { kind, destination, format, request } = order;
    const expiresAt = new Date(now.getTime() + settings.exportKeepMs);
    await ledger.begin(
      {
        ...{ id, organisationId, tokenId, kind, destination, format, request, key, expiresAt },
        runnerId: this.#runnerId,
      },
      settings.maxRunningExports,
    );
    const controller = new AbortController();
    const finished = traced('export', { 'netpanel.export.format': format }, () =>
      this.#run(id, key, order, controller),
    );
    // Whoever does not wait for it must not be ended by it.
    const ended = finished.catch(() => undefined).finally(() => this.#running.delete(id));
    this.#running.set(id, { controller, ended });
    return { id, finished };
  }

  /** Ends it wherever it runs: another process notices at its next heartbeat. */
  async cancel(id: string): Promise<void> {
    await this.#parts.ledger.cancel(id);
    const running = this.#running.get(id);
    running?.controller.abort(new ExportCancelled());
    await running?.ended;
  }

  /** Waits for what is running; what takes longer has failed, and leaves nothing behind. */
  async stop(graceMs: number): Promise<void> {
    const all = [...this.#running.values()];
    const cutOff = setTimeout(() => {
      for (const { controller } of all) controller.abort(serviceStopped());
    }, graceMs);
    await Promise.all(all.map(({ ended }) => ended));
    clearTimeout(cutOff);
  }

  async #run(
    id: string,
    key: string,
    order: ExportOrder,
    controller: AbortController,
  ): Promise<void> {
    const { ledger, settings, exportFigures, logger } = this.#parts;
    const ended = exportFigures.begin(order.format);
    const figures: FileFigures = { rows: 0, bytes: 0, sha256: undefined };
    const heartbeat = setInterval(() => {
      this.#heartbeat(id, figures, controller).catch((error: unknown) => {
        logger.warn('no heartbeat of an export', { id, error: String(error) });
      });
    }, settings.exportHeartbeatMs);
    try {
      await makeFile(this.#parts, { id, key, order, figures, signal: controller.signal });
      if (!(await ledger.finish(id, figures))) throw await this.#endedElsewhere(id);
      ended('done', figures);
      const { rows, bytes } = figures;
      logger.info('export done', { id, rows, bytes, traceId: currentTraceId() });
    } catch (thrown) {
      const error = toExportError(controller.signal.aborted ? controller.signal.reason : thrown);
      ended(error instanceof ExportCancelled ? 'cancelled' : 'failed', figures);
      await this.#giveUp(id, key, error);
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  }

  async #heartbeat(id: string, figures: FileFigures, controller: AbortController): Promise<void> {
    if (await this.#parts.ledger.heartbeat(id, figures)) return;
    controller.abort(await this.#endedElsewhere(id));
  }

  /** Cancelled, or given up by another replica, which has noted a failure for the caller to read. */
  async #endedElsewhere(id: string): Promise<AppError> {
    const record = await this.#parts.ledger.find(id);
    if (record?.status === 'cancelled') return new ExportCancelled();
    const publicMessage =
      record?.failureMessage ?? 'The export was cut off. Please start it again.';
    return new AppError('SERVICE_UNAVAILABLE', { publicMessage, headers: retryAfter(5) });
  }

  // What cannot be done now, the sweeper does later.
  async #giveUp(id: string, key: string, failure: AppError): Promise<void> {
    const { ledger, store, logger } = this.#parts;
    try {
      const isFailed = await ledger.fail(id, failure);
      // Postgres may have noted its end and not come to say so: then there is a link to the file.
      if (!isFailed && (await ledger.find(id))?.status === 'done') return;
      await sweepExport(ledger, store, { id, key });
    } catch (error) {
      logger.warn('a failed export could not be cleaned up yet', { id, error: String(error) });
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
    publicMessage: 'The export was cut off by a restart. Please start it again.',
  });
}

// What is not the query's own error is the store's: a full disk, a bucket that refuses.
function toExportError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'The export could not be stored. Please retry shortly.',
    cause: thrown,
  });
}
