import type { ClickHouseClient } from '@clickhouse/client';
import { isShardTable, shardTable } from '../../schema/clickhouse/sharded-tables.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';

export interface TestColumn {
  readonly name: string;
  /** ClickHouse type, such as `LowCardinality(String)`. */
  readonly type: string;
  /** In the sorting key: rows with the same values in these columns are one result. */
  readonly isKey: boolean;
  /** SQL expression of the default; '' for that of the type. */
  readonly defaultSql: string;
}

/** The columns of a test that a file may contain; empty when the test does not exist. */
export async function testColumns(
  clickhouse: ClickHouseClient,
  test: string,
): Promise<readonly TestColumn[]> {
  if (isShardTable(test)) return [];
  const table = `test_${test}`;
  // On a cluster the table of the shard has the sorting key.
  const columns = await queryRows<{
    name: string;
    type: string;
    is_key: number | boolean;
    default_sql: string;
  }>(
    clickhouse,
    `SELECT name, any(type) AS type, max(is_in_sorting_key) AS is_key, any(default_expression) AS default_sql
FROM system.columns
WHERE database = currentDatabase() AND table IN ({table:String}, {shard:String})
  AND default_kind != 'MATERIALIZED'
  AND name NOT IN ('organisation_id', 'agent_key', 'received_at', 'corrected_at')
GROUP BY name ORDER BY min(position)`,
    { query_params: { table, shard: shardTable(table) } },
  );
  return columns.map(({ name, type, is_key, default_sql }) => ({
    name,
    type,
    isKey: Boolean(is_key),
    defaultSql: default_sql,
  }));
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
