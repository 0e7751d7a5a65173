import type { ClickHouseClient } from '@clickhouse/client';
import type { ClickHouseMetrics } from './clickhouse-metrics.ts';
import { clickHouseTracer } from './clickhouse-tracer.ts';
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
