import type { ClickHouseClient } from '@clickhouse/client';
import { Counter, type Registry } from 'prom-client';
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
  #queue: AuditRow[] = [];
  #queuedBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  /** False during a flush and after a failed one, which is retried by the timer. */
  #mayFlushEarly = true;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.flush(), parts.flushMs);
    this.#timer.unref();
    this.#dropped = new Counter({
      name: 'netpanel_audit_rows_dropped_total',
      help: 'Query audit rows that were dropped because they could not be written to ClickHouse.',
      registers: [parts.registry],
    });
  }

  record(row: AuditRow): void {
    this.#queue.push(row);
    this.#queuedBytes += row.request.length;
    while (this.#queue.length > maxQueuedRows || this.#queuedBytes > maxQueuedBytes) this.#drop();
    if (this.#queue.length >= rowsPerBatch && this.#mayFlushEarly) void this.flush();
  }

  /** Resolves when the recorded rows have been written, or writing them has failed. */
  flush(): Promise<void> {
    this.#mayFlushEarly = false;
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
    if (this.#queue.length > 0) {
      this.#parts.logger.error('query audit rows lost on shutdown', { rows: this.#queue.length });
    }
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, rowsPerBatch);
      try {
        await this.#parts.clickhouse.insert({
          table: 'query_audit',
          values: batch,
          format: 'JSONEachRow',
        });
      } catch (error) {
        // The rows stay in the queue for the next flush.
        this.#parts.logger.warn('could not write the query audit', { error: String(error) });
        return;
      }
      this.#remove(batch);
    }
    this.#mayFlushEarly = true;
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
