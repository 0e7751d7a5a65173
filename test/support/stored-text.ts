import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../services/shared/clickhouse/query-rows.ts';
import type { Database } from '../../services/shared/postgres/connect-postgres.ts';

interface Stores {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
}

/**
 * The tables of both databases in which a row contains one of the texts in any column, without regard to
 * case: `postgres.agents`, `clickhouse.test_httpget`. All tables and dictionaries are searched, so that a
 * new one is included.
 */
export async function tablesWith(stores: Stores, texts: readonly string[]): Promise<string[]> {
  return [
    ...(await postgresTablesWith(stores.database, texts)),
    ...(await clickHouseTablesWith(stores.clickhouse, texts)),
  ];
}

async function postgresTablesWith(database: Database, texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await database.raw<{ rows: { name: string }[] }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const row: unknown = await database(name)
      .whereRaw('(:table:)::text ilike any(:patterns)', {
        table: name,
        patterns: texts.map((text) => `%${text}%`),
      })
      .first();
    if (row !== undefined) found.push(`postgres.${name}`);
  }
  return found;
}

async function clickHouseTablesWith(
  clickhouse: ClickHouseClient,
  texts: readonly string[],
): Promise<string[]> {
  const tables = await queryRows<{ name: string }>(
    clickhouse,
    `SELECT name FROM system.tables
     WHERE database = currentDatabase() AND (engine LIKE '%MergeTree' OR engine = 'Dictionary')
     ORDER BY name`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await queryRows<{ count: string }>(
      clickhouse,
      `SELECT count() AS count FROM ${name}
       WHERE multiSearchAnyCaseInsensitive(formatRow('TSV', *), {texts:Array(String)})`,
      { query_params: { texts: [...texts] } },
    );
    if (Number(row!.count) > 0) found.push(`clickhouse.${name}`);
  }
  return found;
}
