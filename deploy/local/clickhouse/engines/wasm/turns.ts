import type { AsyncChdb } from 'chdb-wasm';
import type { RunningQuery } from '../../running-query.ts';
import { queryWasCancelled } from '../../server-exception.ts';

interface Turn {
  /** None when the turn only tidies up. */
  readonly query: RunningQuery | undefined;
  run(db: AsyncChdb): Promise<void>;
  drop(reason: Error): void;
}

/**
 * The engine does one thing at a time. A query takes it for one turn (open and start, or fetch one
 * chunk) and then queues again behind the others, so a long stream never holds up a small query.
 */
export class Turns {
  readonly #db: AsyncChdb;
  readonly #onCrash: (reason: string) => void;
  readonly #waiting: Turn[] = [];
  #isBusy = false;
  #inEngine: RunningQuery | undefined;
  #wasCancelSent = false;

  /** `onCrash` is called after a crash inside the engine, when nothing can be trusted any more. */
  constructor(db: AsyncChdb, onCrash: (reason: string) => void) {
    this.#db = db;
    this.#onCrash = onCrash;
  }

  /** Waits for a turn and does `work` in it; a query cancelled while it waits is dropped at once. */
  take<T>(query: RunningQuery, work: (db: AsyncChdb) => Promise<T>): Promise<T> {
    return query.signal.aborted ? Promise.reject(queryWasCancelled()) : this.#enqueue(query, work);
  }

  /** A turn that no cancellation can take away, to close what a cancelled query left open. */
  tidyUp(work: () => Promise<void>): Promise<void> {
    return this.#enqueue(undefined, work);
  }

  /** Ends a query wherever it is: inside the engine, in the queue, or waiting for its reader. */
  cancel(query: RunningQuery): void {
    if (query.signal.aborted) return;
    query.markCancelled();
    if (this.#inEngine === query) {
      this.#wasCancelSent = true;
      this.#db.cancel();
      return;
    }
    const place = this.#waiting.findIndex((turn) => turn.query === query);
    if (place !== -1) this.#waiting.splice(place, 1)[0]?.drop(queryWasCancelled());
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
      // The cancel flag stays up until a new query starts, and would end another caller's stream.
      this.#wasCancelSent = false;
      await this.#db.query('SELECT 1');
    } catch (error) {
      this.#onCrash(String(error));
    }
  }
}

// What WebAssembly says when the engine itself has failed, not a query.
function isCrash(error: unknown): boolean {
  return /unreachable|out of bounds|Aborted\(|table index|call stack/.test(
    error instanceof Error && !error.message.startsWith('Code: ') ? error.message : '',
  );
}
