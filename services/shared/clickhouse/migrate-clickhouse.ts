import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { repositoryRoot } from '../repository-root.ts';
import { clusterDdl, onCluster } from './cluster-ddl.ts';
import { type ClickHouseSettings, connectClickHouse } from './connect-clickhouse.ts';
import { fillSqlTokens } from './fill-sql-tokens.ts';
import { publishTimezoneOffsets } from './publish-timezone-offsets.ts';
import { serverVersion } from './server-version.ts';
import { splitSqlStatements } from './split-sql-statements.ts';
import { checkVersion } from './supported-versions.ts';

const migrationFolder = join(repositoryRoot, 'deploy/clickhouse');

export interface ClickHouseMigrationResult {
  /** Names of the files applied now, such as 001_unit_tests. */
  readonly applied: readonly string[];
  /** Whether the time zone offsets were new to this database. */
  readonly timezonesPublished: boolean;
}

/**
 * Brings the ClickHouse schema up to date, on a supported version: applies each file that is not recorded yet, records it,
 * and publishes the time zone offsets. A second run changes nothing. Several starters may run it at
 * once: every statement is safe to repeat, and so is its record.
 */
export async function migrateClickHouse(
  settings: ClickHouseSettings,
  folder = migrationFolder,
): Promise<ClickHouseMigrationResult> {
  const { clickhouseCluster = '' } = settings;
  const migrations = readMigrations(folder);
  checkVersion(await serverVersion(settings));
  await createDatabase(settings);

  const client = connectClickHouse(settings, 'netpanel-migrate');
  try {
    await createMigrationTable(client, clickhouseCluster);
    const pending = pendingMigrations(migrations, await recordedMigrations(client));
    for (const migration of pending) {
      await apply(client, migration, settings);
      await record(client, migration);
    }
    const timezonesPublished = await publishTimezoneOffsets(client, clickhouseCluster);
    return { applied: pending.map(({ name }) => name), timezonesPublished };
  } finally {
    await client.close();
  }
}

/** Names of files that the database does not have, or all of them when it has no record at all. */
export async function pendingClickHouseMigrations(
  client: ClickHouseClient,
  folder = migrationFolder,
): Promise<readonly string[]> {
  const migrations = readMigrations(folder);
  const result = await client.query({
    query:
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'schema_migrations'",
    format: 'JSONEachRow',
  });
  const hasRecord = (await result.json()).length > 0;
  const pending = pendingMigrations(migrations, hasRecord ? await recordedMigrations(client) : []);
  return pending.map(({ name }) => name);
}

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

type RecordedMigration = Pick<Migration, 'version' | 'name' | 'sha256'>;

function readMigrations(folder: string): readonly Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file, i) => {
      const name = file.replace(/\.sql$/, '');
      const version = Number(/^(\d{3})_/.exec(name)?.[1]);
      // Counted without gaps, so that two branches cannot both bring a 006 unnoticed.
      if (version !== i + 1) throw new Error(`Migration ${file} is not number ${i + 1}`);
      const sql = readFileSync(join(folder, file), 'utf8');
      return { version, name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    });
}

/** In a connection of its own: one that names a database which does not exist yet is refused. */
async function createDatabase(settings: ClickHouseSettings): Promise<void> {
  const name = settings.clickhouseDatabase;
  // It goes into the SQL files as it stands, within strings too.
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new Error(`${name} is not a usable database name: letters, digits and _ only`);
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

async function createMigrationTable(client: ClickHouseClient, cluster: string): Promise<void> {
  for (const query of clusterDdl(migrationTable, cluster)) await client.command({ query });
}

const migrationTable = `CREATE TABLE IF NOT EXISTS schema_migrations
(
    version UInt32,
    name String,
    sha256 String COMMENT 'Of the file as applied',
    applied_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY version
COMMENT 'Files of deploy/clickhouse that were applied'`;

async function recordedMigrations(client: ClickHouseClient): Promise<readonly RecordedMigration[]> {
  const result = await client.query({
    query: 'SELECT version, name, sha256 FROM schema_migrations FINAL ORDER BY version',
    format: 'JSONEachRow',
  });
  return result.json<RecordedMigration>();
}

function pendingMigrations(
  migrations: readonly Migration[],
  recorded: readonly RecordedMigration[],
): readonly Migration[] {
  const recordedByVersion = new Map(recorded.map((migration) => [migration.version, migration]));
  return migrations.filter((migration) => {
    const before = recordedByVersion.get(migration.version);
    if (before !== undefined && before.sha256 !== migration.sha256) {
      throw new Error(
        `Migration ${migration.name} was changed after it was applied as ${before.name}: ` +
          'restore the file and put the change into a new one',
      );
    }
    return before === undefined;
  });
}

async function apply(
  client: ClickHouseClient,
  migration: Migration,
  settings: ClickHouseSettings,
): Promise<void> {
  for (const statement of splitSqlStatements(migration.sql)) {
    try {
      for (const ddl of clusterDdl(statement, settings.clickhouseCluster ?? '')) {
        await client.command({ query: fillSqlTokens(ddl, settings) });
      }
    } catch (error) {
      const firstLine = /^(?!--).*\S.*$/m.exec(statement)?.[0] ?? '';
      throw new Error(`Migration ${migration.name} failed at: ${firstLine}`, { cause: error });
    }
  }
}

async function record(client: ClickHouseClient, migration: Migration): Promise<void> {
  const { version, name, sha256 } = migration;
  await client.insert({
    table: 'schema_migrations',
    values: [{ version, name, sha256 }],
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  });
}
