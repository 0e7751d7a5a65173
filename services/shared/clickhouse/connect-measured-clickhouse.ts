import type { ClickHouseClient } from '@clickhouse/client';
import type { ClickHouseMetrics } from './clickhouse-metrics.ts';
import { clickHouseTracer } from './clickhouse-tracer.ts';
import { type ClickHouseSettings, connectClickHouse } from './connect-clickhouse.ts';

const maxConnections = 10;

/** A client for queries of one kind, with metrics and traces. */
export function connectMeasuredClickHouse(
  settings: ClickHouseSettings,
  application: string,
  metrics: ClickHouseMetrics,
  kind: string,
  limits: { readonly socketTimeoutMs?: number } = {},
): ClickHouseClient {
  const pool = metrics.addPool(kind, maxConnections);
  return connectClickHouse(settings, application, {
    ...limits,
    maxConnections,
    tracer: clickHouseTracer(metrics, kind, pool),
  });
}
