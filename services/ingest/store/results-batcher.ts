import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { ClickHouseError } from '@clickhouse/client';
import { insertBlock } from '../../results/store/insert-block.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import { retryAfter } from '../../shared/http/retry-after.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { IngestMetrics } from './ingest-metrics.ts';
import { Lane, type Waiting } from './lane.ts';
import type { ReceivedRows, RowSink } from './row-sink.ts';

interface BatcherOptions {
  readonly clickhouse: ClickHouseClient;
  /** Minimum time between two inserts of small requests into one test. */
  readonly batchMs: number;
  readonly maxInserts: number;
  /** Sent with every insert. */
  readonly settings: ClickHouseSettings;
  readonly metrics: IngestMetrics;
  readonly logger: Logger;
}

/**
 * Inserts the rows of several requests together, so that many small requests make few parts. A request waits for the
 * insert that contains its rows. The first one after a pause is inserted at once; those that arrive within `batchMs` of
 * the last insert, or while it runs, are inserted together.
 */
export class ResultsBatcher implements RowSink {
  readonly #options: BatcherOptions;
  readonly #lanes = new Map<string, Lane>();
  readonly #queue: (() => Promise<void>)[] = [];
  #running = 0;

  constructor(options: BatcherOptions) {
    this.#options = options;
  }

  insert(received: ReceivedRows): Promise<void> {
    const { test, names, separator } = received;
    const key = [test, separator, ...names].join('\n');
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = new Lane({
        batchMs: this.#options.batchMs,
        insert: (batch) => this.#inSlot(() => this.#insertBatch(batch)),
        onIdle: () => this.#lanes.delete(key),
      });
      this.#lanes.set(key, lane);
    }
    return lane.add(received);
  }

  /** Runs at most maxInserts at a time, first in, first out. */
  #inSlot(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      this.#queue.push(() => work().finally(resolve));
      this.#startNext();
    });
  }

  #startNext(): void {
    if (this.#running >= this.#options.maxInserts) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    this.#running++;
    void next().finally(() => {
      this.#running--;
      this.#startNext();
    });
  }

  async #insertBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#send(batch);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      // ClickHouse refused the rows of one request: the others must not fail with it.
      if (batch.length > 1 && !isTemporary(error)) {
        for (const one of batch) await this.#insertBatch([one]);
        return;
      }
      this.#options.logger.warn('an insert of results failed', {
        requests: batch.length,
        error: String(error),
      });
      for (const { reject } of batch) reject(insertError(error));
    }
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    const { clickhouse, settings, metrics } = this.#options;
    const [first] = batch;
    if (first === undefined) return;
    const { test, names, separator } = first.received;
    const chunks = batch.flatMap(({ received }) => received.blocks);
    const end = metrics.startInsert(test);
    await insertBlock(clickhouse, test, { names, separator, chunks }, settings);
    const rowCount = batch.reduce((sum, { received }) => sum + received.rowCount, 0);
    end({ requests: batch.length, rowCount });
  }
}

/** Not the fault of the rows: a lost connection, an overloaded or restarting server, a quorum that was not reached. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof ClickHouseError) || temporaryCodes.has(Number(error.code));
}

const temporaryCodes = new Set([
  // Timeouts, overload and lost connections.
  159, 202, 209, 210, 236, 241, 252, 279, 285, 286, 319, 425, 999,
  // A table that is read-only because Keeper cannot be reached; a full disk.
  242, 243,
]);

function insertError(error: unknown): AppError {
  if (!isTemporary(error)) return new AppError('UNKNOWN_ERROR', { cause: error });
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage:
      'The results could not be stored now. Please send the same request again: no result is stored twice.',
    headers: retryAfter(5),
    cause: error,
  });
}
