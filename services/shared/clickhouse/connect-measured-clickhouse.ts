import type { ClickHouseClient } from '@clickhouse/client';
import type { ClickHouseFigures, QuestionKind } from './clickhouse-figures.ts';
import { clickHouseTracer } from './clickhouse-tracer.ts';
import { type ClickHouseSettings, connectClickHouse } from './connect-clickhouse.ts';

const maxConnections = 10;

/** Connections of their own for questions of one kind, each of which is counted and timed. */
export function connectMeasuredClickHouse(
  settings: ClickHouseSettings,
  application: string,
  figures: ClickHouseFigures,
  kind: QuestionKind,
  limits: { readonly silenceMs?: number } = {},
): ClickHouseClient {
  const pool = figures.addPool(kind, maxConnections);
  return connectClickHouse(settings, application, {
    ...limits,
    maxConnections,
    tracer: clickHouseTracer(figures, kind, pool),
  });
}
