import {
  type ClickHouseClient,
  type ClickHouseSpan,
  ClickHouseSpanNames,
  type ClickHouseTracer,
} from '@clickhouse/client';
import type { ClickHouseMetrics, ClickHousePool, MeasuredQuery } from './clickhouse-metrics.ts';
import { type ClickHouseSettings, connectClickHouse } from './connect-clickhouse.ts';

/** Maximum number of connections of one client. */
export const measuredConnections = 10;

/** A client for queries of one kind, with metrics and traces. */
export function connectMeasuredClickHouse(
  settings: ClickHouseSettings,
  application: string,
  metrics: ClickHouseMetrics,
  kind: string,
  limits: { readonly socketTimeoutMs?: number } = {},
): ClickHouseClient {
  const pool = metrics.addPool(kind, measuredConnections);
  return connectClickHouse(settings, application, {
    ...limits,
    maxConnections: measuredConnections,
    tracer: clickHouseTracer(metrics, kind, pool),
  });
}

/** Measures every query of a client, all as one kind. */
function clickHouseTracer(
  metrics: ClickHouseMetrics,
  kind: string,
  pool: ClickHousePool,
): ClickHouseTracer {
  // The client ends its span of a query at the response headers and starts another one for reading.
  // We measure both as one query.
  let responding: MeasuredQuery | undefined;
  return {
    startActiveSpan: (name, _options, work) => {
      if (name === ClickHouseSpanNames.query_stream && responding !== undefined) {
        const query = responding;
        responding = undefined;
        return work(spanOf(query, () => query.end()));
      }
      const query = metrics.begin(kind, pool);
      const span = spanOf(query, (hasFailed) => {
        if (name === ClickHouseSpanNames.query && !hasFailed) responding = query;
        else query.end();
      });
      return work(span);
    },
  };
}

function spanOf(query: MeasuredQuery, end: (hasFailed: boolean) => void): ClickHouseSpan {
  let hasFailed = false;
  return {
    setAttributes: (attributes) => {
      const rows = attributes['clickhouse.summary.read_rows'];
      const bytes = attributes['clickhouse.summary.read_bytes'];
      if (rows !== undefined) query.read(Number(rows), Number(bytes ?? 0));
    },
    setStatus: () => undefined,
    recordException: (error) => {
      hasFailed = true;
      query.failed(error);
    },
    end: () => end(hasFailed),
  };
}
