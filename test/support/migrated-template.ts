import { randomBytes } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import { localClickHouse } from '../../deploy/local/local-clickhouse.ts';
import { migratePostgres } from '../../services/schema/postgres/migrate-postgres.ts';
import {
  type ClickHouseSettings,
  connectClickHouse,
} from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { queryRows } from '../../services/shared/clickhouse/query-rows.ts';
import { connectPostgres } from '../../services/shared/postgres/connect-postgres.ts';
import { localStack } from './local-stack.ts';

/** The databases of which tests get copies. */
export interface MigratedTemplate {
  /** Name of a Postgres database that was migrated once per test process. It has no connections. */
  readonly postgresDatabase: string;
  /** Name of the stack's ClickHouse database: a migration takes 7 s of CPU. */
  readonly clickhouseDatabase: string;
  readonly content: ClickHouseContent;
}

/** What a migration leaves in a ClickHouse database. */
export interface ClickHouseContent {
  readonly objects: readonly SchemaObject[];
  /** The tables that have rows. */
  readonly tables: readonly TableRows[];
}

/** The tables that a migration fills. */
const tablesOfMigration = [
  'custom_hash_key',
  'schema_generated_objects',
  'schema_migrations',
  'timezone_offset_source',
  'timezone_offset_version',
];

interface SchemaObject {
  readonly name: string;
  readonly engine: string;
  /** Without the name of the database. */
  readonly sql: string;
}

interface TableRows {
  readonly table: string;
  readonly digest: string;
}

let template: Promise<MigratedTemplate> | undefined;

export function migratedTemplate(): Promise<MigratedTemplate> {
  template ??= prepareTemplate();
  return template;
}

async function prepareTemplate(): Promise<MigratedTemplate> {
  const stack = await localStack();
  const name = `template_${randomBytes(6).toString('hex')}`;
  await stack.database.raw('create database ??', [name]);
  const databaseUrl = new URL(stack.databaseUrl);
  databaseUrl.pathname = `/${name}`;
  const database = connectPostgres(databaseUrl.href, 2, name);
  await migratePostgres(database);
  await database.destroy();
  const settings = localClickHouse(stack.clickhouseUrl);
  const { objects, tables } = await readClickHouse(settings);
  return {
    postgresDatabase: name,
    clickhouseDatabase: settings.clickhouseDatabase,
    content: {
      objects,
      tables: tables.filter(({ table }) => tablesOfMigration.includes(table)),
    },
  };
}

/** In the place of a database's name. */
export const databaseToken = '{database}';

export async function readClickHouse(settings: ClickHouseSettings): Promise<ClickHouseContent> {
  const database = settings.clickhouseDatabase;
  // A test may have dropped the database.
  const client = connectClickHouse({ ...settings, clickhouseDatabase: 'default' }, 'netpanel-test');
  try {
    const objects = await queryRows<SchemaObject>(
      client,
      `SELECT name, engine, create_table_query AS sql FROM system.tables
      WHERE database = '${database}' ORDER BY name`,
    );
    return {
      objects: objects.map((object) => ({
        ...object,
        // In `database.table` and in the source of a dictionary, but not in comments.
        sql: object.sql.replace(new RegExp(`\\b${database}\\b(?=[.'])`, 'g'), databaseToken),
      })),
      tables: await readTables(client, database),
    };
  } finally {
    await client.close();
  }
}

async function readTables(
  client: ClickHouseClient,
  database: string,
): Promise<readonly TableRows[]> {
  const filled = await queryRows<{ table: string }>(
    client,
    `SELECT DISTINCT table FROM system.parts
    WHERE database = '${database}' AND active ORDER BY table`,
  );
  return Promise.all(
    filled.map(async ({ table }) => {
      const [row] = await queryRows<{ digest: string }>(
        client,
        `SELECT concat(count(), ' ', sum(cityHash64(*))) AS digest FROM ${database}.${table}`,
      );
      return { table, digest: row!.digest };
    }),
  );
}
