import type { ClickHouseClient } from '@clickhouse/client';
import { isShardTable } from '../../schema/clickhouse/sharded-tables.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';

export interface TestColumn {
  readonly name: string;
  /** ClickHouse type, such as `LowCardinality(String)`. */
  readonly type: string;
}

/** The columns of a test that a file may contain; empty when the test does not exist. */
export async function testColumns(
  clickhouse: ClickHouseClient,
  test: string,
): Promise<readonly TestColumn[]> {
  if (isShardTable(test)) return [];
  return queryRows<TestColumn>(
    clickhouse,
    `SELECT name, type FROM system.columns
WHERE database = currentDatabase() AND table = concat('test_', {test:String})
  AND default_kind != 'MATERIALIZED' AND name NOT IN ('organisation_id', 'agent_key', 'received_at')
ORDER BY position`,
    { query_params: { test } },
  );
}

/** Every test that has a table. */
export async function testKeys(clickhouse: ClickHouseClient): Promise<readonly string[]> {
  const tables = await queryRows<{ test: string }>(
    clickhouse,
    `SELECT substring(name, 6) AS test FROM system.tables
WHERE database = currentDatabase() AND startsWith(name, 'test_') ORDER BY test`,
  );
  return tables.map(({ test }) => test).filter((test) => !isShardTable(test));
}
