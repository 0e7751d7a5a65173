import { queryWasCancelled } from './server-exception.ts';

/** A query from its request to the end of its response. */
export class RunningQuery {
  readonly id: string;
  readonly sql: string;
  /** Resolves when the query has ended, with or without an error. */
  readonly done: Promise<void>;
  readonly #cancellation = new AbortController();
  #finish: () => void = () => undefined;

  constructor(id: string, sql: string) {
    this.id = id;
    this.sql = sql;
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Aborted when the query is killed or the client disconnects. */
  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  markCancelled(): void {
    this.#cancellation.abort(queryWasCancelled());
  }

  throwIfCancelled(): void {
    this.signal.throwIfAborted();
  }

  finish(): void {
    this.#finish();
  }
}
