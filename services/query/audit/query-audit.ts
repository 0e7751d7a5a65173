import type { ClickHouseClient } from '@clickhouse/client';
import { type Counter, metricsOf, type Registry } from '../../shared/metrics.ts';
import { AttemptCounter, type CountedAttempts } from '../../shared/audit/attempt-counter.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';

/** One row of query_audit, in ClickHouse's spelling. */
export interface AuditRow {
  readonly occurred_at: string;
  readonly organisation_id: number;
  readonly token_id: number;
  readonly route: string;
  readonly query_id: string;
  readonly request: string;
  readonly status: number;
  readonly code: string;
  readonly rows_read: number;
  readonly bytes_read: number;
  readonly rows_returned: number;
  readonly bytes_returned: number;
  readonly duration_ms: number;
  readonly aborted: boolean;
}

/** A request without a valid token or link. It belongs to no organisation. */
interface RefusedRequest {
  readonly address: string;
  readonly status: number;
  readonly code: string;
}

/** A time in ClickHouse's spelling. */
export function auditTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '');
}

export async function writeAuditRows(
  clickhouse: ClickHouseClient,
  rows: readonly AuditRow[],
): Promise<void> {
  await clickhouse.insert({ table: 'query_audit', values: rows, format: 'JSONEachRow' });
}

interface Parts {
  readonly clickhouse: ClickHouseClient;
  readonly flushMs: number;
  readonly logger: Logger;
  readonly registry: Registry;
}

const rowsPerBatch = 500;
// Rows are queued while ClickHouse is unavailable. Beyond these limits the oldest are dropped.
const maxQueuedRows = 20_000;
const maxQueuedBytes = 64 * 1024 * 1024;

/** Writes the query audit to ClickHouse in batches, without delaying or failing requests. */
export class QueryAudit {
  readonly #parts: Parts;
  readonly #timer: NodeJS.Timeout;
  readonly #dropped: Counter;
  readonly #refused = new AttemptCounter<RefusedRequest>({
    address: 'others',
    status: 0,
    code: '',
  });
  #queue: AuditRow[] = [];
  #queuedBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  /** False during a flush and after a failed one, which is retried by the timer. */
  #mayFlushEarly = true;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.flush(), parts.flushMs);
    this.#timer.unref();
    this.#dropped = metricsOf(parts.registry).counter(
      'netpanel_audit_rows_dropped_total',
      'Query audit rows that were dropped because they could not be written to ClickHouse.',
    );
  }

  record(row: AuditRow): void {
    this.#queue.push(row);
    this.#queuedBytes += row.request.length;
    while (this.#queue.length > maxQueuedRows || this.#queuedBytes > maxQueuedBytes) this.#drop();
    if (this.#queue.length >= rowsPerBatch && this.#mayFlushEarly) void this.flush();
  }

  /** Requests that belong to no organisation are recorded as one row per address, status and minute. */
  countRefused(request: RefusedRequest): void {
    this.#refused.add(request);
  }

  /** Resolves when the recorded rows have been written, or writing them has failed. */
  flush(): Promise<void> {
    this.#mayFlushEarly = false;
    this.#recordRefused(this.#refused.takeEnded());
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#recordRefused(this.#refused.takeEnded(Infinity));
    await this.flush();
    if (this.#queue.length > 0) {
      this.#parts.logger.error('query audit rows lost on shutdown', { rows: this.#queue.length });
    }
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, rowsPerBatch);
      try {
        await writeAuditRows(this.#parts.clickhouse, batch);
      } catch (error) {
        // The rows stay in the queue for the next flush.
        this.#parts.logger.warn('could not write the query audit', { error: String(error) });
        return;
      }
      this.#remove(batch);
    }
    this.#mayFlushEarly = true;
  }

  #recordRefused(refused: readonly CountedAttempts<RefusedRequest>[]): void {
    for (const counted of refused) this.#queue.push(refusedRow(counted));
  }

  // By identity, because rows may have been dropped from the queue during the insert.
  #remove(batch: readonly AuditRow[]): void {
    const written = new Set(batch);
    this.#queue = this.#queue.filter((row) => !written.has(row));
    this.#queuedBytes = this.#queue.reduce((sum, row) => sum + row.request.length, 0);
  }

  #drop(): void {
    const [row] = this.#queue.splice(0, 1);
    this.#queuedBytes -= row?.request.length ?? 0;
    this.#dropped.inc();
  }
}

function refusedRow({ attempt, minuteMs, count }: CountedAttempts<RefusedRequest>): AuditRow {
  return {
    occurred_at: auditTime(minuteMs),
    organisation_id: 0,
    token_id: 0,
    route: 'none',
    query_id: '',
    request: JSON.stringify({ address: attempt.address, requests: count }),
    status: attempt.status,
    code: attempt.code,
    rows_read: 0,
    bytes_read: 0,
    rows_returned: 0,
    bytes_returned: 0,
    duration_ms: 0,
    aborted: false,
  };
}
