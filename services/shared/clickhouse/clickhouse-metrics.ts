import { type Context, context, type Span, trace } from '@opentelemetry/api';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { recordError } from '../tracing/record-error.ts';
import { startClientSpan, traceHeaders } from '../tracing/traced.ts';
import { failureKind } from './failure-kind.ts';

/** The connections that share a limit. */
export interface ClickHousePool {
  readonly name: string;
  readonly maxConnections: number;
}

/** A running query, for metrics and traces. */
export interface MeasuredQuery {
  /** HTTP headers to send, so that ClickHouse's own spans join the trace. */
  readonly headers: Record<string, string>;
  /** What ClickHouse had read when its response began. */
  read(rows: number, bytes: number): void;
  failed(error: unknown): void;
  /** Must be called once, on success and on failure. */
  end(): void;
}

/** Counts, times and traces ClickHouse queries. A service's kinds of query are a label: keep them few. */
export class ClickHouseMetrics {
  readonly #durations: Histogram<'kind'>;
  readonly #rows: Counter<'kind'>;
  readonly #bytes: Counter<'kind'>;
  readonly #errors: Counter<'kind' | 'error'>;
  readonly #connectionsMax: Gauge<'pool'>;
  readonly #running = new Map<ClickHousePool, number>();

  constructor(registry: Registry) {
    const registers = [registry];
    this.#durations = new Histogram({
      name: 'netpanel_clickhouse_query_duration_seconds',
      help: 'Time from sending a query to ClickHouse to the end of its response, by kind of query.',
      labelNames: ['kind'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600],
      registers,
    });
    this.#rows = new Counter({
      name: 'netpanel_clickhouse_read_rows_total',
      help: 'Rows ClickHouse had read when its response began.',
      labelNames: ['kind'],
      registers,
    });
    this.#bytes = new Counter({
      name: 'netpanel_clickhouse_read_bytes_total',
      help: 'Uncompressed bytes ClickHouse had read when its response began.',
      labelNames: ['kind'],
      registers,
    });
    this.#errors = new Counter({
      name: 'netpanel_clickhouse_errors_total',
      help: 'Failed ClickHouse queries, by reason.',
      labelNames: ['kind', 'error'],
      registers,
    });
    this.#connectionsMax = new Gauge({
      name: 'netpanel_clickhouse_connections_max',
      help: 'Maximum number of connections to ClickHouse.',
      labelNames: ['pool'],
      registers,
    });
    const running = this.#running;
    new Gauge({
      name: 'netpanel_clickhouse_connections',
      help: 'Queries that have a connection to ClickHouse (used) or wait for one (waiting).',
      labelNames: ['pool', 'state'],
      registers,
      collect() {
        for (const [{ name: pool, maxConnections }, count] of running) {
          this.set({ pool, state: 'used' }, Math.min(count, maxConnections));
          this.set({ pool, state: 'waiting' }, Math.max(0, count - maxConnections));
        }
      },
    });
  }

  addPool(name: string, maxConnections: number): ClickHousePool {
    const pool = { name, maxConnections };
    this.#running.set(pool, 0);
    this.#connectionsMax.set({ pool: name }, maxConnections);
    return pool;
  }

  /** To be called when the query is sent. Background queries, outside of a request, have no span. */
  begin(kind: string, pool: ClickHousePool, parent: Context = context.active()): MeasuredQuery {
    const stop = this.#durations.startTimer({ kind });
    this.#count(pool, 1);
    const span = trace.getSpan(parent) === undefined ? undefined : querySpan(kind, parent);
    return {
      headers: span === undefined ? {} : traceHeaders(span),
      read: (rows, bytes) => {
        this.#rows.inc({ kind }, rows);
        this.#bytes.inc({ kind }, bytes);
        span?.setAttributes({ 'netpanel.rows_read': rows, 'netpanel.bytes_read': bytes });
      },
      failed: (error) => {
        this.#errors.inc({ kind, error: failureKind(error) });
        if (span !== undefined) recordError(span, error);
      },
      end: () => {
        stop();
        this.#count(pool, -1);
        span?.end();
      },
    };
  }

  /** Whether no query waits for a connection. */
  hasConnections(pool: ClickHousePool): boolean {
    return (this.#running.get(pool) ?? 0) <= pool.maxConnections;
  }

  #count(pool: ClickHousePool, change: number): void {
    this.#running.set(pool, (this.#running.get(pool) ?? 0) + change);
  }
}

function querySpan(kind: string, parent: Context): Span {
  const attributes = { 'db.system.name': 'clickhouse', 'db.operation.name': kind };
  return startClientSpan('clickhouse', attributes, parent);
}
