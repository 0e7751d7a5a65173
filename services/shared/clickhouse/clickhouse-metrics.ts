import { type Context, context, type Span, trace } from '@opentelemetry/api';
import { metricsOf, type Registry } from '../metrics.ts';
import { recordError } from '../tracing/record-error.ts';
import { startClientSpan, traceHeaders } from '../tracing/traced.ts';
import { ClickHouseError } from '@clickhouse/client';
import { AppError } from '../errors/app-error.ts';
import { isUnreachable } from '../errors/is-unreachable.ts';
import { clickHouseCodes } from './clickhouse-codes.ts';

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

export type ClickHouseMetrics = ReturnType<typeof clickHouseMetrics>;

/** Counts, times and traces ClickHouse queries. A service's kinds of query are a label: keep them few. */
export function clickHouseMetrics(registry: Registry) {
  const { counter, gauge, histogram, measuredBy } = metricsOf(registry);
  const durations = histogram(
    'netpanel_clickhouse_query_duration_seconds',
    'Time from sending a query to ClickHouse to the end of its response, by kind of query.',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600],
    'kind',
  );
  const readRows = counter(
    'netpanel_clickhouse_read_rows_total',
    'Rows ClickHouse had read when its response began.',
    'kind',
  );
  const readBytes = counter(
    'netpanel_clickhouse_read_bytes_total',
    'Uncompressed bytes ClickHouse had read when its response began.',
    'kind',
  );
  const errors = counter(
    'netpanel_clickhouse_errors_total',
    'Failed ClickHouse queries, by reason.',
    'kind',
    'error',
  );
  const connectionsMax = gauge(
    'netpanel_clickhouse_connections_max',
    'Maximum number of connections to ClickHouse.',
    'pool',
  );
  const running = new Map<ClickHousePool, number>();
  measuredBy(
    'netpanel_clickhouse_connections',
    'Queries that have a connection to ClickHouse (used) or wait for one (waiting).',
    ['pool', 'state'],
    () =>
      [...running].flatMap(([{ name: pool, maxConnections }, count]) => [
        [{ pool, state: 'used' }, Math.min(count, maxConnections)],
        [{ pool, state: 'waiting' }, Math.max(0, count - maxConnections)],
      ]),
  );
  const count = (pool: ClickHousePool, change: number) =>
    running.set(pool, (running.get(pool) ?? 0) + change);

  return {
    addPool: (name: string, maxConnections: number): ClickHousePool => {
      const pool = { name, maxConnections };
      running.set(pool, 0);
      connectionsMax.set({ pool: name }, maxConnections);
      return pool;
    },
    /** To be called when the query is sent. Background queries, outside of a request, have no span. */
    begin: (
      kind: string,
      pool: ClickHousePool,
      parent: Context = context.active(),
    ): MeasuredQuery => {
      const stop = durations.startTimer({ kind });
      count(pool, 1);
      const span = trace.getSpan(parent) === undefined ? undefined : querySpan(kind, parent);
      return {
        headers: span === undefined ? {} : traceHeaders(span),
        read: (rows, bytes) => {
          readRows.inc({ kind }, rows);
          readBytes.inc({ kind }, bytes);
          span?.setAttributes({ 'netpanel.rows_read': rows, 'netpanel.bytes_read': bytes });
        },
        failed: (error) => {
          errors.inc({ kind, error: failureKind(error) });
          if (span !== undefined) recordError(span, error);
        },
        end: () => {
          stop();
          count(pool, -1);
          span?.end();
        },
      };
    },
    /** Whether no query waits for a connection. */
    hasConnections: (pool: ClickHousePool) => (running.get(pool) ?? 0) <= pool.maxConnections,
  };
}

function querySpan(kind: string, parent: Context): Span {
  const attributes = { 'db.system.name': 'clickhouse', 'db.operation.name': kind };
  return startClientSpan('clickhouse', attributes, parent);
}

type FailureKind =
  | 'timeout'
  | 'memory'
  /** More rows than a request may read or return. */
  | 'limit'
  /** Too many queries, or a quota that is used up. */
  | 'refused'
  | 'unreachable'
  | 'other';

/** Why a ClickHouse query failed, as the label of a metric. */
function failureKind(error: unknown): FailureKind {
  if (error instanceof ClickHouseError) return kindByCode.get(Number(error.code)) ?? 'other';
  if (error instanceof AppError && error.code === 'QUERY_TIMEOUT') return 'timeout';
  return isUnreachable(error) ? 'unreachable' : 'other';
}

const kindByCode: ReadonlyMap<number, FailureKind> = new Map([
  [clickHouseCodes.timeout, 'timeout'],
  [clickHouseCodes.memoryLimit, 'memory'],
  [clickHouseCodes.tooManyRows, 'limit'],
  [clickHouseCodes.tooManyResultRows, 'limit'],
  [clickHouseCodes.quotaExceeded, 'refused'],
  [clickHouseCodes.tooManyQueries, 'refused'],
  [clickHouseCodes.networkError, 'unreachable'],
  [clickHouseCodes.socketTimeout, 'unreachable'],
  [clickHouseCodes.shuttingDown, 'unreachable'],
  [clickHouseCodes.allReplicasFailed, 'unreachable'],
]);
