import { queryWasCancelled } from './server-exception.ts';

/** A query between its arrival and the end of its answer. */
export class RunningQuery {
  readonly id: string;
  readonly sql: string;
  /** Settles when the query is over, however it ended. */
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

  /** Aborted when the query is killed or its caller has gone. */
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
