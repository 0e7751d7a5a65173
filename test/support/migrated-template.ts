import { randomBytes } from 'node:crypto';
import { localClickHouse } from '../../deploy/local/local-clickhouse.ts';
import { migrateSchemas } from '../../services/schema/migrate-schemas.ts';
import {
  type ClickHouseSettings,
  connectClickHouse,
} from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { connectPostgres } from '../../services/shared/postgres/connect-postgres.ts';
import { localStack } from './local-stack.ts';

/** Two databases that were migrated once per test process. Copies of them take half of the time of a migration. */
export interface MigratedTemplate {
  /** Name of the Postgres database, without connections. */
  readonly postgresDatabase: string;
  /** Creates a ClickHouse database with the same objects and rows. */
  readonly copyClickHouse: (settings: ClickHouseSettings) => Promise<void>;
}

let template: Promise<MigratedTemplate> | undefined;

export function migratedTemplate(): Promise<MigratedTemplate> {
  template ??= migrate();
  return template;
}

async function migrate(): Promise<MigratedTemplate> {
  const stack = await localStack();
  // Random, because it is replaced by the name of the copy in all statements.
  const name = `template_${randomBytes(6).toString('hex')}`;
  await stack.database.raw('create database ??', [name]);
  const databaseUrl = new URL(stack.databaseUrl);
  databaseUrl.pathname = `/${name}`;
  const database = connectPostgres(databaseUrl.href, 2, name);
  const settings = { ...localClickHouse(stack.clickhouseUrl), clickhouseDatabase: name };
  await migrateSchemas(database, settings);
  await database.destroy();
  const { objects, filledTables } = await readClickHouse(settings);
  return {
    postgresDatabase: name,
    copyClickHouse: (copy) => copyClickHouse(name, objects, filledTables, copy),
  };
}

interface SchemaObject {
  readonly engine: string;
  readonly sql: string;
}

async function readClickHouse(settings: ClickHouseSettings) {
  const client = connectClickHouse(settings, 'netpanel-test');
  const rows = async <Row>(query: string) =>
    (await client.query({ query, format: 'JSONEachRow' })).json<Row>();
  try {
    const objects = await rows<SchemaObject>(
      `SELECT engine, create_table_query AS sql FROM system.tables
      WHERE database = currentDatabase() ORDER BY name`,
    );
    const filledTables = await rows<{ table: string }>(
      'SELECT DISTINCT table FROM system.parts WHERE database = currentDatabase() AND active',
    );
    return { objects, filledTables: filledTables.map(({ table }) => table) };
  } finally {
    await client.close();
  }
}

async function copyClickHouse(
  template: string,
  objects: readonly SchemaObject[],
  filledTables: readonly string[],
  settings: ClickHouseSettings,
): Promise<void> {
  const name = settings.clickhouseDatabase;
  const client = connectClickHouse({ ...settings, clickhouseDatabase: 'default' }, name);
  const run = (query: string) => client.command({ query });
  const create = (isWanted: (engine: string) => boolean) =>
    Promise.all(
      objects
        .filter(({ engine }) => isWanted(engine))
        // system.tables hides the password of the dictionaries.
        .map(({ sql }) =>
          run(
            sql
              .replaceAll(template, name)
              .replace("'[HIDDEN]'", `'${settings.clickhousePassword}'`),
          ),
        ),
    );
  try {
    await run(`CREATE DATABASE ${name}`);
    await create((engine) => engine.endsWith('MergeTree'));
    // Before the materialised views, which would add rows.
    for (const table of filledTables) {
      await run(`INSERT INTO ${name}.${table} SELECT * FROM ${template}.${table}`);
    }
    await create((engine) => engine === 'Dictionary');
    await create((engine) => engine === 'View');
    await create((engine) => engine === 'MaterializedView');
    for (const dictionary of ['timezone_offset', 'timezone_span']) {
      await run(`SYSTEM RELOAD DICTIONARY ${name}.${dictionary}`);
    }
  } finally {
    await client.close();
  }
}
