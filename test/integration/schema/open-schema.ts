import { localClickHouse as localSettings } from '../../../deploy/local/local-clickhouse.ts';
import {
  type ClickHouseSettings,
  connectClickHouse,
} from '../../../services/shared/clickhouse/connect-clickhouse.ts';
import {
  type ClickHouseMigrationResult,
  migrateClickHouse,
} from '../../../services/schema/clickhouse/migrate-clickhouse.ts';
import { localClickHouse } from '../../support/local-clickhouse.ts';

const clickhouse_settings = { output_format_json_quote_64bit_integers: 0 } as const;

/** A new migrated database, dropped on close. */
export interface Schema {
  readonly settings: ClickHouseSettings;
  readonly firstRun: ClickHouseMigrationResult;
  rows<Row extends object>(query: string): Promise<Row[]>;
  insert(table: string, rows: object[]): Promise<void>;
  command(query: string): Promise<void>;
  close(): Promise<void>;
}

export async function openSchema(database: string): Promise<Schema> {
  const { url } = await localClickHouse();
  const settings = { ...localSettings(url), clickhouseDatabase: database };
  const firstRun = await migrateClickHouse(settings);
  const client = connectClickHouse(settings, 'netpanel-test');

  const command = async (query: string): Promise<void> => {
    await client.command({ query });
  };
  return {
    settings,
    firstRun,
    command,
    rows: async (query) =>
      (await client.query({ query, format: 'JSONEachRow', clickhouse_settings })).json(),
    insert: async (table, values) => {
      await client.insert({ table, values, format: 'JSONEachRow' });
    },
    close: async () => {
      await command(`DROP DATABASE ${database}`);
      await client.close();
    },
  };
}
