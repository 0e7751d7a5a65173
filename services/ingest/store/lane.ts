import type { ReceivedRows } from './row-sink.ts';

/** Rows of a request that waits for their insert. */
export interface Waiting {
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
export class Lane {
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
