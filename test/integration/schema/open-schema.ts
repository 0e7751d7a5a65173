import { localClickHouse as localSettings } from '../../../deploy/local/local-clickhouse.ts';
import {
  type ClickHouseSettings,
  connectClickHouse,
} from '../../../services/shared/clickhouse/connect-clickhouse.ts';
import {
  type ClickHouseMigrationResult,
  migrateClickHouse,
} from '../../../services/schema/clickhouse/migrate-clickhouse.ts';
import { returnClickHouseCopy, takeClickHouseCopy } from '../../support/clickhouse-copies.ts';
import { localStack } from '../../support/local-stack.ts';

const clickhouse_settings = { output_format_json_quote_64bit_integers: 0 } as const;

/** A migrated database without results. */
export interface Schema {
  readonly settings: ClickHouseSettings;
  rows<Row extends object>(query: string): Promise<Row[]>;
  insert(table: string, rows: object[]): Promise<void>;
  command(query: string): Promise<void>;
  close(): Promise<void>;
}

export async function openSchema(): Promise<Schema> {
  // A copy has no tables on a cluster.
  if (process.env.CLICKHOUSE_CLUSTER !== undefined) return openMigratedSchema('schema_of_test');
  const settings = await takeClickHouseCopy();
  return schemaOf(settings, () => returnClickHouseCopy(settings));
}

export interface MigratedSchema extends Schema {
  readonly firstRun: ClickHouseMigrationResult;
}

/** The same by a real migration, which takes longer. */
export async function openMigratedSchema(database: string): Promise<MigratedSchema> {
  const { clickhouseUrl, clickhouse } = await localStack();
  const settings = { ...localSettings(clickhouseUrl), clickhouseDatabase: database };
  const firstRun = await migrateClickHouse(settings);
  const schema = schemaOf(settings, async () => {
    await clickhouse.command({ query: `DROP DATABASE ${database}` });
  });
  return { ...schema, firstRun };
}

function schemaOf(settings: ClickHouseSettings, closeDatabase: () => Promise<void>): Schema {
  const client = connectClickHouse(settings, 'netpanel-test');
  return {
    settings,
    command: async (query) => {
      await client.command({ query });
    },
    rows: async (query) =>
      (await client.query({ query, format: 'JSONEachRow', clickhouse_settings })).json(),
    insert: async (table, values) => {
      await client.insert({ table, values, format: 'JSONEachRow' });
    },
    close: async () => {
      await client.close();
      await closeDatabase();
    },
  };
}
