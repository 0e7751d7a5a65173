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
// While ClickHouse is away rows pile up; beyond this the oldest are given up, and counted.
const maxQueuedRows = 20_000;
const maxQueuedBytes = 64 * 1024 * 1024;

/** Writes who asked what to ClickHouse, in batches. A request neither waits for it nor fails by it. */
export class QueryAudit {
  readonly #parts: Parts;
  readonly #timer: NodeJS.Timeout;
  readonly #dropped: Counter;
  #queue: AuditRow[] = [];
  #queuedBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  /** Not while one is under way, nor after one that failed: that is tried again at its time. */
  #mayFlushEarly = true;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.flush(), parts.flushMs);
    this.#timer.unref();
    this.#dropped = new Counter({
      name: 'netpanel_audit_rows_dropped_total',
      help: 'Rows of the query audit given up because ClickHouse did not take them.',
      registers: [parts.registry],
    });
  }

  record(row: AuditRow): void {
    this.#queue.push(row);
    this.#queuedBytes += row.request.length;
    while (this.#queue.length > maxQueuedRows || this.#queuedBytes > maxQueuedBytes) this.#drop();
    if (this.#queue.length >= rowsPerBatch && this.#mayFlushEarly) void this.flush();
  }

  /** Resolves when what was recorded until now has been written, or could not be. */
  flush(): Promise<void> {
    this.#mayFlushEarly = false;
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
    if (this.#queue.length > 0) {
      this.#parts.logger.error('audit rows lost at the stop', { rows: this.#queue.length });
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
        // Kept for the next flush.
        this.#parts.logger.warn('the query audit could not be written', { error: String(error) });
        return;
      }
      this.#remove(batch);
    }
    this.#mayFlushEarly = true;
  }

  // By identity, since rows may have been dropped from the front while the batch was written.
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
