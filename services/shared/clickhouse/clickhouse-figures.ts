import { type Context, context, type Span, trace } from '@opentelemetry/api';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { recordError } from '../tracing/record-error.ts';
import { startClientSpan, traceHeaders } from '../tracing/traced.ts';
import { failureKind } from './failure-kind.ts';

/** What ClickHouse is asked for. A label, so there are few, and none of them a caller's word. */
export type QuestionKind =
  'metric_data' | 'test_data' | 'explain' | 'export' | 'listing' | 'snapshot' | 'background';

/** The connections that share a limit. */
export interface ClickHousePool {
  readonly name: string;
  readonly maxConnections: number;
}

/** A question under way, as figures and traces see it. */
export interface Question {
  /** To be sent with it, so that ClickHouse's own spans join the trace. */
  readonly headers: Record<string, string>;
  /** What ClickHouse has read for it, as far as it knows when its answer begins. */
  read(rows: number, bytes: number): void;
  failed(error: unknown): void;
  /** Once, however it ended. */
  end(): void;
}

/** What is asked of ClickHouse, how long it takes and what it costs, for Prometheus and traces. */
export class ClickHouseFigures {
  readonly #durations: Histogram<'kind'>;
  readonly #rows: Counter<'kind'>;
  readonly #bytes: Counter<'kind'>;
  readonly #errors: Counter<'kind' | 'error'>;
  readonly #connectionsMax: Gauge<'pool'>;
  readonly #underWay = new Map<ClickHousePool, number>();

  constructor(registry: Registry) {
    const registers = [registry];
    this.#durations = new Histogram({
      name: 'netpanel_clickhouse_query_duration_seconds',
      help: 'Time from asking ClickHouse to the end of its answer, by kind of question.',
      labelNames: ['kind'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600],
      registers,
    });
    this.#rows = new Counter({
      name: 'netpanel_clickhouse_read_rows_total',
      help: 'Rows ClickHouse had read when its answer began.',
      labelNames: ['kind'],
      registers,
    });
    this.#bytes = new Counter({
      name: 'netpanel_clickhouse_read_bytes_total',
      help: 'Bytes, uncompressed, ClickHouse had read when its answer began.',
      labelNames: ['kind'],
      registers,
    });
    this.#errors = new Counter({
      name: 'netpanel_clickhouse_errors_total',
      help: 'Questions ClickHouse did not answer, by why.',
      labelNames: ['kind', 'error'],
      registers,
    });
    this.#connectionsMax = new Gauge({
      name: 'netpanel_clickhouse_connections_max',
      help: 'Connections to ClickHouse there may be.',
      labelNames: ['pool'],
      registers,
    });
    const underWay = this.#underWay;
    new Gauge({
      name: 'netpanel_clickhouse_connections',
      help: 'Questions that have a connection to ClickHouse (used) or wait for one (waiting).',
      labelNames: ['pool', 'state'],
      registers,
      collect() {
        for (const [{ name: pool, maxConnections }, count] of underWay) {
          this.set({ pool, state: 'used' }, Math.min(count, maxConnections));
          this.set({ pool, state: 'waiting' }, Math.max(0, count - maxConnections));
        }
      },
    });
  }

  addPool(name: string, maxConnections: number): ClickHousePool {
    const pool = { name, maxConnections };
    this.#underWay.set(pool, 0);
    this.#connectionsMax.set({ pool: name }, maxConnections);
    return pool;
  }

  /** To be called when the question is sent. What nobody's request asks for is no trace. */
  begin(kind: QuestionKind, pool: ClickHousePool, parent: Context = context.active()): Question {
    const stop = this.#durations.startTimer({ kind });
    this.#count(pool, 1);
    const span = trace.getSpan(parent) === undefined ? undefined : questionSpan(kind, parent);
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

  #count(pool: ClickHousePool, change: number): void {
    this.#underWay.set(pool, (this.#underWay.get(pool) ?? 0) + change);
  }
}

function questionSpan(kind: QuestionKind, parent: Context): Span {
  const attributes = { 'db.system.name': 'clickhouse', 'db.operation.name': kind };
  return startClientSpan('clickhouse', attributes, parent);
}
