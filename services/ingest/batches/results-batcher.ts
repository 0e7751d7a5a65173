import {
  type ClickHouseClient,
  ClickHouseError,
  type ClickHouseSettings,
} from '@clickhouse/client';
import type { Separator } from '../../results/csv.ts';
import { insertBlock } from '../../results/insert/insert-block.ts';
import { AppError, retryAfter } from '../../shared/errors/app-error.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { IngestMetrics } from './ingest-metrics.ts';

/** Valid rows of a request. */
export interface ReceivedRows {
  readonly test: string;
  /** Columns of the INSERT. */
  readonly names: readonly string[];
  readonly separator: Separator;
  /** One after another. They are not joined: a large request would copy all its rows in one step. */
  readonly blocks: readonly Buffer[];
  readonly rowCount: number;
  readonly byteCount: number;
}

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
export class ResultsBatcher {
  readonly #options: BatcherOptions;
  readonly #lanes = new Map<string, Lane>();
  readonly #queue: (() => Promise<void>)[] = [];
  #running = 0;

  constructor(options: BatcherOptions) {
    this.#options = options;
  }

  /** Resolves when ClickHouse has the rows; on a cluster, when a quorum of the shard's replicas has them. */
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
      // ClickHouse refused the rows of one request, which must not fail the others.
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

/** Rows of a request that waits for their insert. */
interface Waiting {
  readonly received: ReceivedRows;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface LaneOptions {
  readonly batchMs: number;
  /** Settles every request of the batch. Never rejects. */
  readonly insert: (batch: readonly Waiting[]) => Promise<void>;
  readonly onIdle: () => void;
}

/** The inserts of rows with the same test and columns, one after another. */
class Lane {
  readonly #options: LaneOptions;
  #waiting: Waiting[] = [];
  #waitingRows = 0;
  #waitingBytes = 0;
  #lastStartMs = -Infinity;
  #isInserting = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  add(received: ReceivedRows): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ received, resolve, reject });
      this.#waitingRows += received.rowCount;
      this.#waitingBytes += received.byteCount;
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isInserting || this.#waiting.length === 0) return;
    const waitMs = this.#isLarge
      ? 0
      : this.#lastStartMs + this.#options.batchMs - performance.now();
    clearTimeout(this.#timer);
    if (waitMs <= 0) void this.#insert();
    else this.#timer = setTimeout(() => void this.#insert(), waitMs);
  }

  /** Large enough for a part of its own. */
  get #isLarge(): boolean {
    return this.#waitingRows >= rowsOfLargeBatch || this.#waitingBytes >= bytesOfLargeBatch;
  }

  async #insert(): Promise<void> {
    clearTimeout(this.#timer);
    const batch = this.#take();
    this.#isInserting = true;
    this.#lastStartMs = performance.now();
    await this.#options.insert(batch);
    this.#isInserting = false;
    if (this.#waiting.length > 0) this.#schedule();
    else this.#timer = setTimeout(this.#options.onIdle, this.#options.batchMs).unref();
  }

  /** The next requests, up to the size of a batch; at least one. */
  #take(): readonly Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { received } of this.#waiting) {
      bytes += received.byteCount;
      if (count > 0 && bytes > maxBatchBytes) break;
      count++;
    }
    const batch = this.#waiting.splice(0, count);
    for (const { received } of batch) {
      this.#waitingRows -= received.rowCount;
      this.#waitingBytes -= received.byteCount;
    }
    return batch;
  }
}

const rowsOfLargeBatch = 5_000;
const bytesOfLargeBatch = 1024 ** 2;
const maxBatchBytes = 32 * 1024 ** 2;
