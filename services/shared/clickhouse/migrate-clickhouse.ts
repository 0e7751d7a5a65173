import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import { repositoryRoot } from '../repository-root.ts';
import { fillSqlTokens } from './fill-sql-tokens.ts';
import { publishTimezoneOffsets } from './publish-timezone-offsets.ts';
import { splitSqlStatements } from './split-sql-statements.ts';

export interface ClickHouseMigrationOptions {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Created when it does not exist. */
  readonly database: string;
  /** Folder of the numbered SQL files; deploy/clickhouse unless given. */
  readonly folder?: string;
}

export interface ClickHouseMigrationResult {
  /** Names of the files applied now, such as 001_unit_tests. */
  readonly applied: readonly string[];
  /** Whether the time zone offsets were new to this database. */
  readonly timezonesPublished: boolean;
}

/**
 * Brings the ClickHouse schema up to date: applies each file that is not recorded yet, records it,
 * and publishes the time zone offsets. A second run changes nothing. Several starters may run it at
 * once: every statement is safe to repeat, and so is its record.
 */
export async function migrateClickHouse(
  options: ClickHouseMigrationOptions,
): Promise<ClickHouseMigrationResult> {
  const migrations = readMigrations(options.folder ?? join(repositoryRoot, 'deploy/clickhouse'));
  await createDatabase(options);

  const client = connect(options, options.database);
  try {
    await createMigrationTable(client);
    const pending = pendingMigrations(migrations, await recordedMigrations(client));
    for (const migration of pending) {
      await apply(client, migration, options);
      await record(client, migration);
    }
    const timezonesPublished = await publishTimezoneOffsets(client);
    return { applied: pending.map(({ name }) => name), timezonesPublished };
  } finally {
    await client.close();
  }
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

async function createDatabase(options: ClickHouseMigrationOptions): Promise<void> {
  // The name goes into the SQL files as it stands, within strings too.
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(options.database)) {
    throw new Error(
      `${options.database} is not a usable database name: letters, digits and _ only`,
    );
  }
  const client = connect(options, 'default');
  try {
    await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${options.database}` });
  } finally {
    await client.close();
  }
}

function connect(options: ClickHouseMigrationOptions, database: string): ClickHouseClient {
  const { url, username, password } = options;
  return createClient({
    ...{ url, username, password, database },
    application: 'netpanel-migrate',
    // Off, since a failure is thrown as well, and the caller reports it once.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

async function createMigrationTable(client: ClickHouseClient): Promise<void> {
  await client.command({
    query: `CREATE TABLE IF NOT EXISTS schema_migrations
(
    version UInt32,
    name String,
    sha256 String COMMENT 'Of the file as applied',
    applied_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY version
COMMENT 'Files of deploy/clickhouse that were applied'`,
  });
}

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
  options: ClickHouseMigrationOptions,
): Promise<void> {
  for (const statement of splitSqlStatements(migration.sql)) {
    try {
      await client.command({ query: fillSqlTokens(statement, options) });
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
