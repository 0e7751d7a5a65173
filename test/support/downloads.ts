import type { ClickHouseClient } from '@clickhouse/client';

/** One row of test_httpget. Omitted fields get a default. */
export interface Download {
  readonly agentKey: number;
  readonly agentId: string;
  readonly unitId?: number;
  /** UTC, such as 2026-03-01 10:00:00. */
  readonly dtime: string;
  readonly mbps: number;
  readonly target?: string;
  readonly threads?: number;
}

export async function addDownloads(
  clickhouse: ClickHouseClient,
  organisationId: number,
  downloads: readonly Download[],
): Promise<void> {
  await clickhouse.insert({
    table: 'test_httpget',
    format: 'JSONEachRow',
    values: downloads.map((download) => ({
      organisation_id: organisationId,
      agent_key: download.agentKey,
      agent_id: download.agentId,
      unit_id: download.unitId ?? null,
      base: 'wb8',
      dtime: download.dtime,
      target: download.target ?? 'n1-london.example.net',
      target_group: 'onnet',
      bytes_sec: (download.mbps * 1e6) / 8,
      threads: download.threads ?? 3,
      successes: 1,
    })),
  });
}

/**
 * Adds `rowCount` results of 100 agents, one per second from 2026-01-01 on. `target` is an SQL expression.
 */
export async function addManyDownloads(
  clickhouse: ClickHouseClient,
  organisationId: number,
  rowCount: number,
  target = "'many.example.net'",
): Promise<void> {
  await clickhouse.command({
    query: `INSERT INTO test_httpget
  (organisation_id, agent_key, agent_id, unit_id, base, dtime, target, bytes_sec, threads, successes)
SELECT {organisation:UInt32}, 900000000 + number % 100, concat('many-', toString(number % 100)),
  number % 100, 'wb8', toDateTime64('2026-01-01 00:00:00', 3, 'UTC') + number, ${target},
  1000000 + number, 3, 1
FROM numbers({rows:UInt64})`,
    query_params: { organisation: organisationId, rows: rowCount },
  });
}
