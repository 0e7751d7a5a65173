import {
  migrateClickHouse,
  type ClickHouseMigrationOptions,
  type ClickHouseMigrationResult,
} from '../../../services/shared/clickhouse/migrate-clickhouse.ts';
import { localClickHouse, quietClient } from '../../support/local-clickhouse.ts';

/** A freshly migrated database of its own, dropped when it is closed. */
export interface Schema {
  readonly connection: ClickHouseMigrationOptions;
  readonly firstRun: ClickHouseMigrationResult;
  rows<Row extends object>(query: string): Promise<Row[]>;
  insert(table: string, rows: object[]): Promise<void>;
  command(query: string): Promise<void>;
  close(): Promise<void>;
}

export async function openSchema(database: string): Promise<Schema> {
  const { url } = await localClickHouse();
  const connection = { url, username: 'default', password: '', database };
  const firstRun = await migrateClickHouse(connection);
  const client = quietClient(url, {
    database,
    clickhouse_settings: { async_insert: 0, output_format_json_quote_64bit_integers: 0 },
  });

  const command = async (query: string): Promise<void> => {
    await client.command({ query });
  };
  return {
    connection,
    firstRun,
    command,
    rows: async (query) => (await client.query({ query, format: 'JSONEachRow' })).json(),
    insert: async (table, values) => {
      await client.insert({ table, values, format: 'JSONEachRow' });
    },
    close: async () => {
      await command(`DROP DATABASE ${database}`);
      await client.close();
    },
  };
}
