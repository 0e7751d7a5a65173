import { AsyncChdb } from 'chdb-wasm';
import type { RunningQuery } from './running-query.ts';
import { queryWasCancelled } from './server-exception.ts';

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
export class Engine {
  readonly version: string;
  readonly #db: AsyncChdb;
  readonly #onBroken: (reason: string) => void;
  readonly #waiting: Turn[] = [];
  #isBusy = false;
  #inEngine: RunningQuery | undefined;
  #wasCancelSent = false;

  private constructor(db: AsyncChdb, version: string, onBroken: (reason: string) => void) {
    this.#db = db;
    this.version = version;
    this.#onBroken = onBroken;
  }

  /** `onBroken` hears of a crash inside the engine, after which nothing can be trusted. */
  static async start(onBroken: (reason: string) => void): Promise<Engine> {
    const moduleUrl = new URL('chdb.mjs', import.meta.resolve('chdb-wasm')).href;
    const db = await AsyncChdb.create({ moduleUrl });
    await db.putFile('/config.xml', new TextEncoder().encode(serverConfig));
    const version = (await db.query('SELECT version()', 'TSVRaw')).text().trim();
    return new Engine(db, version, onBroken);
  }

  /** Waits for a turn and does `work` in it; a query cancelled while it waits is dropped at once. */
  turn<T>(query: RunningQuery, work: (db: AsyncChdb) => Promise<T>): Promise<T> {
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
    void this.#take(turn).then(() => {
      this.#isBusy = false;
      this.#next();
    });
  }

  async #take(turn: Turn): Promise<void> {
    try {
      this.#inEngine = turn.query;
      await turn.run(this.#db);
      this.#inEngine = undefined;
      if (!this.#wasCancelSent) return;
      // The cancel flag stays up until a new query starts, and would end another caller's stream.
      this.#wasCancelSent = false;
      await this.#db.query('SELECT 1');
    } catch (error) {
      this.#onBroken(String(error));
    }
  }
}

// The engine counts about 100 KB of every query as taken and never as given back, which no part of it
// corrects in WebAssembly: at its own limit (0.9 of the 2 GiB it believes there are) every query after
// some thousand failed. A query's own limit, max_memory_usage, does not suffer from that.
const serverConfig =
  '<clickhouse><max_server_memory_usage_to_ram_ratio>1000</max_server_memory_usage_to_ram_ratio></clickhouse>';

// What WebAssembly says when the engine itself has failed, not a query.
function isCrash(error: unknown): boolean {
  return /unreachable|out of bounds|Aborted\(|table index|call stack/.test(
    error instanceof Error && !error.message.startsWith('Code: ') ? error.message : '',
  );
}
