import type { ClickHouseClient } from '@clickhouse/client';
import {
  type ClickHouseSettings,
  connectClickHouse,
} from '../../shared/clickhouse/connect-clickhouse.ts';
import { onCluster } from '../../shared/clickhouse/on-cluster.ts';
import { syncReplicas } from '../../shared/clickhouse/reload-dictionary.ts';
import { serverVersion } from '../../shared/clickhouse/server-version.ts';
import { checkVersion } from '../../shared/clickhouse/supported-versions.ts';
import { clusterDdl } from './cluster-ddl.ts';
import { fillSqlTokens } from './fill-sql-tokens.ts';
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
import { runStatement } from './run-statement.ts';

export interface ClickHouseMigrationResult {
  /** Names of the applied files, such as 001_results. */
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
 * Migrates the ClickHouse schema on a supported version: applies the statements that are not recorded, replaces the
 * generated objects that changed, and publishes the time zone offsets. Idempotent.
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
  try {
    await refuseUnreleasedSchema(client);
    for (const table of [migrationRecords, generatedObjectRecords]) {
      for (const statement of clusterDdl(parseStatement(table), cluster)) await run(statement);
    }
    const recordTables = ['schema_migrations', 'schema_generated_objects'];
    for (const statement of syncReplicas(recordTables, cluster)) await run(statement);

    const pending = await pendingMigrations(client, source.migrations);
    for (const migration of pending.filter(({ isAfter }) => !isAfter)) {
      await apply(client, migration, cluster, run);
    }
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

/** Describes the migrations and generated objects that are not applied: `001_results`, `2 generated views`. */
export async function pendingClickHouseMigrations(
  client: ClickHouseClient,
  { migrations, objects } = schemaSource(),
): Promise<readonly string[]> {
  const hasRecords = await refuseUnreleasedSchema(client);
  if (!hasRecords) return migrations.map(({ name }) => name);
  const pending = await pendingMigrations(client, migrations);
  const { changed, dropped } = await generatedChanges(client, objects);
  const views = changed.length + dropped.length;
  return [...pending.map(({ name }) => name), ...(views === 0 ? [] : [`${views} generated views`])];
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

/** Whether the database has migration records. Throws if they are of an unreleased version. */
async function refuseUnreleasedSchema(client: ClickHouseClient): Promise<boolean> {
  const result = await client.query({
    query: `SELECT sorting_key FROM system.tables
WHERE database = currentDatabase() AND name IN ('schema_migrations', 'schema_generated_objects')
ORDER BY name DESC`,
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ sorting_key: string }>();
  if (rows[0]?.sorting_key === 'version') {
    throw new Error(
      'This database was created by an unreleased version of netpanel and cannot be migrated: ' +
        'run make clean (local stack), or drop the ClickHouse and Postgres databases',
    );
  }
  return rows.length === 2;
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
