import type { AsyncChdb } from 'chdb-wasm';
import type { RunningQuery } from '../../running-query.ts';
import { queryWasCancelled } from '../../server-exception.ts';

interface Turn {
  /** Undefined for cleanup. */
  readonly query: RunningQuery | undefined;
  run(db: AsyncChdb): Promise<void>;
  drop(reason: Error): void;
}

/**
 * A queue for the engine, which runs one call at a time. A query gets one turn (connect and start, or
 * fetch one chunk) and then queues again, so a long stream does not block a small query.
 */
export class Turns {
  readonly #db: AsyncChdb;
  readonly #onCrash: (reason: string) => void;
  readonly #waiting: Turn[] = [];
  #isBusy = false;
  #inEngine: RunningQuery | undefined;
  #wasCancelSent = false;

  /** `onCrash` is called after a crash of the engine, when no result can be trusted. */
  constructor(db: AsyncChdb, onCrash: (reason: string) => void) {
    this.#db = db;
    this.#onCrash = onCrash;
  }

  /** Waits for a turn and runs `work` in it. A query cancelled while waiting is removed at once. */
  take<T>(query: RunningQuery, work: (db: AsyncChdb) => Promise<T>): Promise<T> {
    return query.signal.aborted ? Promise.reject(queryWasCancelled()) : this.#enqueue(query, work);
  }

  /** A turn that cannot be cancelled, to close the connection of a cancelled query. */
  cleanUp(work: () => Promise<void>): Promise<void> {
    return this.#enqueue(undefined, work);
  }

  /** Cancels a query that is in the engine, in the queue, or waiting for its reader. */
  cancel(query: RunningQuery): void {
    if (query.signal.aborted) return;
    query.markCancelled();
    if (this.#inEngine === query) {
      this.#wasCancelSent = true;
      this.#db.cancel();
      return;
    }
    const index = this.#waiting.findIndex((turn) => turn.query === query);
    if (index !== -1) this.#waiting.splice(index, 1)[0]?.drop(queryWasCancelled());
  }

  #enqueue<T>(query: RunningQuery | undefined, work: (db: AsyncChdb) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async (db: AsyncChdb) => {
        try {
          resolve(await work(db));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
          if (isCrash(error)) throw error;
        }
      };
      this.#waiting.push({ query, run, drop: reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#isBusy) return;
    const turn = this.#waiting.shift();
    if (turn === undefined) return;
    this.#isBusy = true;
    void this.#run(turn).then(() => {
      this.#isBusy = false;
      this.#next();
    });
  }

  async #run(turn: Turn): Promise<void> {
    try {
      this.#inEngine = turn.query;
      await turn.run(this.#db);
      this.#inEngine = undefined;
      if (!this.#wasCancelSent) return;
      // The cancel flag stays set until a new query starts, and would end the stream of another client.
      this.#wasCancelSent = false;
      await this.#db.query('SELECT 1');
    } catch (error) {
      this.#onCrash(String(error));
    }
  }
}

// Error messages of WebAssembly for a crash of the engine, as opposed to a failed query.
function isCrash(error: unknown): boolean {
  return /unreachable|out of bounds|Aborted\(|table index|call stack/.test(
    error instanceof Error && !error.message.startsWith('Code: ') ? error.message : '',
  );
}
