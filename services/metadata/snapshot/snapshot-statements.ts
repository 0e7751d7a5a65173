import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';

/** Runs the statements of the publisher, each with a timeout, until the service stops. */
export class SnapshotStatements {
  /** Timeout per statement. */
  timeoutMs = 600_000;
  readonly client: ClickHouseClient;
  /** Name of the ClickHouse cluster; empty for a single server. */
  readonly cluster: string;
  readonly #stopSignal: AbortSignal;

  constructor(client: ClickHouseClient, stopSignal: AbortSignal, cluster: string) {
    this.client = client;
    this.cluster = cluster;
    this.#stopSignal = stopSignal;
  }

  /** Whether running statements were aborted for a shutdown. */
  get isStopped(): boolean {
    return this.#stopSignal.aborted;
  }

  async one<T>(query: string): Promise<T> {
    const [row] = await this.all<T>(query);
    if (row === undefined) throw new Error(`ClickHouse returned no row for: ${query}`);
    return row;
  }

  async all<T>(query: string): Promise<T[]> {
    return this.withTimeout((abort_signal) => queryRows(this.client, query, { abort_signal }));
  }

  async command(query: string): Promise<void> {
    await this.withTimeout((abort_signal) => this.client.command({ query, abort_signal }));
  }

  async insert(table: string, values: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    const [first] = values;
    if (first === undefined) return;
    await this.withTimeout((abort_signal) =>
      this.client.insert({
        table,
        values: [...values],
        columns: Object.keys(first) as [string, ...string[]],
        format: 'JSONEachRow',
        abort_signal,
      }),
    );
  }

  /**
   * Rejects after the timeout and at a shutdown: the ClickHouse client ignores the signal after the response headers.
   * Leaves nothing behind, unlike AbortSignal.any and AbortSignal.timeout, which stay in memory until the timeout, and
   * in part until the shutdown.
   */
  async withTimeout<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const stopSignal = this.#stopSignal;
    const timer = setTimeout(() => controller.abort(timedOut(this.timeoutMs)), this.timeoutMs);
    const onStop = () => controller.abort(stopSignal.reason);
    stopSignal.addEventListener('abort', onStop);
    if (stopSignal.aborted) onStop();
    try {
      return await Promise.race([work(controller.signal), aborted(controller.signal)]);
    } finally {
      clearTimeout(timer);
      stopSignal.removeEventListener('abort', onStop);
    }
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  });
}

/** As of AbortSignal.timeout. */
function timedOut(timeoutMs: number): DOMException {
  return new DOMException(`The statement took more than ${timeoutMs} ms`, 'TimeoutError');
}

const minMs = 10_000;
const maxMs = 600_000;
/** Generous: on two cores the insert of 100,000 agents with three periods each takes 8 s. */
const msPerAgent = 0.5;

/**
 * Timeout of a ClickHouse statement. It grows with the number of agents and doubles after each failure,
 * because a retry starts from the beginning. An integer: AbortSignal.timeout refuses 10,000.5.
 */
export function statementTimeoutMs(agents: number, failures: number): number {
  return Math.min(Math.ceil((minMs + agents * msPerAgent) * 2 ** failures), maxMs);
}
