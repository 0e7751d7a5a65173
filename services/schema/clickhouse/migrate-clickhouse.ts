import { randomBytes } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import {
  type ClickHouseSettings,
  connectClickHouse,
} from '../../shared/clickhouse/connect-clickhouse.ts';
import { onCluster } from '../../shared/clickhouse/on-cluster.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { syncReplicas } from '../../shared/clickhouse/reload-dictionary.ts';
import { serverVersion } from '../../shared/clickhouse/server-version.ts';
import { checkVersion } from '../../shared/clickhouse/supported-versions.ts';
import { clusterDdl } from './cluster-ddl.ts';
import type { GeneratedObject } from './generated/generated-object.ts';
import { generatedObjects } from './generated/generated-objects.ts';
import {
  migrationRecords,
  type PendingMigration,
  pendingMigrations,
  recordStatement,
} from './migration-records.ts';
import { parseStatement } from './parse-statement.ts';
import { publishTimezoneOffsets } from './publish-timezone-offsets.ts';
import { firstLine, type Migration, readMigrations } from './read-migrations.ts';
import {
  generatedChanges,
  generatedObjectRecords,
  replaceGeneratedObjects,
} from './replace-generated-objects.ts';

export interface ClickHouseMigrationResult {
  /** Names of the applied files, such as 001_bookkeeping. */
  readonly applied: readonly string[];
  /** Names of the generated objects that were created, replaced or dropped. */
  readonly generated: readonly string[];
  /** Whether new time zone offsets were published. */
  readonly timezonesPublished: boolean;
}

/** The schema of this build. */
export interface SchemaSource {
  readonly migrations: readonly Migration[];
  readonly objects: readonly GeneratedObject[];
}

/**
 * Migrates the ClickHouse schema on a supported version: applies the statements that are not recorded, creates the key of
 * hashes, replaces the generated objects that changed, and publishes the time zone offsets. Idempotent.
 *
 * A statement and its record are not one transaction: a process killed between the two leaves the statement applied
 * but not recorded, and the next run repeats it. Therefore every statement must be repeatable. Concurrent runs are
 * not safe: migrateSchemas holds a lock.
 */
export async function migrateClickHouse(
  settings: ClickHouseSettings,
  source = schemaSource(),
): Promise<ClickHouseMigrationResult> {
  const { clickhouseCluster: cluster = '' } = settings;
  checkVersion(await serverVersion(settings));
  await createDatabase(settings);

  // A statement that moves data sends nothing until it has finished.
  const client = connectClickHouse(settings, 'netpanel-migrate', {
    socketTimeoutMs: 24 * 3_600_000,
  });
  const run = (statement: string) => runStatement(client, fillSqlTokens(statement, settings));
  const synchronise = async (tables: readonly string[]) => {
    for (const statement of syncReplicas(tables, cluster)) await run(statement);
  };
  try {
    await refuseOtherSchema(client, source.migrations);
    for (const table of [migrationRecords, generatedObjectRecords]) {
      for (const statement of clusterDdl(parseStatement(table), cluster)) await run(statement);
    }
    await synchronise(['schema_migrations', 'schema_generated_objects']);

    const pending = await pendingMigrations(client, source.migrations);
    for (const migration of pending.filter(({ isAfter }) => !isAfter)) {
      await apply(client, migration, cluster, run);
    }
    await synchronise(['custom_hash_key']);
    await createCustomHashKey(client);
    const generated = await replaceGeneratedObjects(client, cluster, run, source.objects);
    for (const migration of pending.filter(({ isAfter }) => isAfter)) {
      await apply(client, migration, cluster, run);
    }
    return {
      applied: pending.map(({ name }) => name),
      generated: [...generated.changed.map(({ name }) => name), ...generated.dropped],
      timezonesPublished: await publishTimezoneOffsets(client, cluster),
    };
  } finally {
    await client.close();
  }
}

/** Describes the migrations and generated objects that are not applied: `001_bookkeeping`, `2 generated tables and views`. */
export async function pendingClickHouseMigrations(
  client: ClickHouseClient,
  { migrations, objects } = schemaSource(),
): Promise<readonly string[]> {
  const hasRecords = await refuseOtherSchema(client, migrations);
  if (!hasRecords) return migrations.map(({ name }) => name);
  const pending = await pendingMigrations(client, migrations);
  const { changed, dropped } = await generatedChanges(client, objects);
  const count = changed.length + dropped.length;
  return [
    ...pending.map(({ name }) => name),
    ...(count === 0 ? [] : [`${count} generated tables and views`]),
  ];
}

export function schemaSource(folder?: string): SchemaSource {
  return { migrations: readMigrations(folder), objects: generatedObjects() };
}

/** Uses a separate connection, because the database may not exist yet. */
async function createDatabase(settings: ClickHouseSettings): Promise<void> {
  const name = settings.clickhouseDatabase;
  // The name is inserted into the SQL files without escaping, also within strings.
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new Error(`The database name ${name} must consist of letters, digits and _`);
  }
  const client = connectClickHouse(
    { ...settings, clickhouseDatabase: 'default' },
    'netpanel-migrate',
  );
  try {
    const where = onCluster(settings.clickhouseCluster ?? '');
    await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${name} ${where}`.trim() });
  } finally {
    await client.close();
  }
}

/** Whether the database has migration records. Throws if their files have other names in this version of netpanel. */
async function refuseOtherSchema(
  client: ClickHouseClient,
  migrations: readonly Migration[],
): Promise<boolean> {
  const tables = await queryRows<{ name: string }>(
    client,
    `SELECT name FROM system.tables
WHERE database = currentDatabase() AND name IN ('schema_migrations', 'schema_generated_objects')`,
  );
  if (!tables.some(({ name }) => name === 'schema_migrations')) return false;
  const applied = await queryRows<{ version: number; name: string }>(
    client,
    'SELECT DISTINCT version, name FROM schema_migrations ORDER BY version',
  );
  const other = applied.find(({ version, name }) =>
    migrations.some((migration) => migration.version === version && migration.name !== name),
  );
  if (other !== undefined) {
    throw new Error(
      `This database has the schema of an unreleased version of netpanel (${other.name}) and cannot be migrated: ` +
        'run make clean (local stack), or start from empty ClickHouse and Postgres databases',
    );
  }
  return tables.length === 2;
}

async function apply(
  client: ClickHouseClient,
  migration: PendingMigration,
  cluster: string,
  run: (statement: string) => Promise<void>,
): Promise<void> {
  const { name, statements, appliedCount } = migration;
  for (const [i, statement] of statements.entries()) {
    if (i < appliedCount) continue;
    try {
      for (const ddl of clusterDdl(statement, cluster)) await run(ddl);
    } catch (error) {
      throw new Error(`Migration ${name} failed at: ${firstLine(statement.text)}`, {
        cause: error,
      });
    }
    await recordStatement(client, migration, i + 1);
  }
  // A failed statement was removed from the file, and all remaining ones were already applied.
  if (appliedCount === statements.length) await recordStatement(client, migration, appliedCount);
}

/** Runs a statement that changes the schema. */
async function runStatement(client: ClickHouseClient, query: string): Promise<void> {
  try {
    // Waits until all replicas have applied an ALTER, so that the next statement may run on any node.
    await client.command({ query, clickhouse_settings: { alter_sync: '2' } });
  } catch (error) {
    const [head, object, name] = /^CREATE OR REPLACE (VIEW|DICTIONARY) (\w+)/.exec(query) ?? [];
    if (head === undefined || !String(error).includes('RENAME EXCHANGE is not supported'))
      throw error;
    // The WebAssembly engine of the local stack cannot replace objects atomically.
    await client.command({
      query: `DROP ${object} IF EXISTS ${name}`,
      // A dictionary may read a view that is created again at once.
      clickhouse_settings: { check_table_dependencies: 0 },
    });
    await client.command({ query: query.replace(head, `CREATE ${object} ${name}`) });
  }
}

/**
 * Replaces ${database}, ${user} and ${password} in a migration. The last two must be within quotes, as
 * in the source of a dictionary: PASSWORD '${password}'.
 */
export function fillSqlTokens(sql: string, settings: ClickHouseSettings): string {
  const values: Record<string, string> = {
    database: settings.clickhouseDatabase,
    user: escapeQuoted(settings.clickhouseUser),
    password: escapeQuoted(settings.clickhousePassword),
  };
  return sql.replace(/\$\{(\w+)\}/g, (token, name: string) => values[name] ?? token);
}

function escapeQuoted(text: string): string {
  return text.replace(/[\\']/g, '\\$&');
}

/**
 * Creates the secret key once. It is sent as data and not in the statement, which ClickHouse logs. ClickHouse's own random
 * numbers are predictable.
 */
async function createCustomHashKey(client: ClickHouseClient): Promise<void> {
  const [key] = await queryRows(client, 'SELECT 1 FROM custom_hash_key LIMIT 1');
  if (key !== undefined) return;
  const bytes = randomBytes(16);
  await client.insert({
    table: 'custom_hash_key',
    values: [{ k0: String(bytes.readBigUInt64LE()), k1: String(bytes.readBigUInt64LE(8)) }],
    format: 'JSONEachRow',
  });
}
