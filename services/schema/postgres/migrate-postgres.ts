import type { Knex } from 'knex';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import * as tenants from './migrations/001-tenants.ts';
import * as agents from './migrations/002-agents.ts';
import * as history from './migrations/003-metadata-history.ts';
import * as bookkeeping from './migrations/004-bookkeeping.ts';
import * as snapshotDue from './migrations/005-snapshot-due.ts';

interface NamedMigration {
  readonly name: string;
  readonly migration: Knex.Migration;
}

const migrations: readonly NamedMigration[] = [
  { name: '001-tenants', migration: tenants },
  { name: '002-agents', migration: agents },
  { name: '003-metadata-history', migration: history },
  { name: '004-bookkeeping', migration: bookkeeping },
  { name: '005-snapshot-due', migration: snapshotDue },
];

/** An advisory lock number that nothing else in the database uses. */
const migrationLock = 7_263_544_101;

/** Brings the Postgres schema up to date, one process at a time, and returns what was applied. */
export function migratePostgres(database: Database): Promise<readonly string[]> {
  return withMigrationLock(database, () => applyPostgresMigrations(database));
}

/**
 * Runs `work` while no other process migrates. The advisory lock is released when its connection ends, however the
 * process ends. The transaction that holds it has no snapshot, so it does not hold up vacuum.
 */
export async function withMigrationLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return database.transaction(async (holder) => {
    await holder.raw('select pg_advisory_xact_lock(?)', [migrationLock]);
    return work();
  });
}

/** To be called with the migration lock. */
export async function applyPostgresMigrations(database: Database): Promise<readonly string[]> {
  // knex's own lock stays behind when a process is killed, and several processes on an empty database can leave it
  // behind for good. Safe to free: we hold the advisory lock.
  await database.migrate.forceFreeMigrationsLock({ migrationSource });
  const [, applied] = (await database.migrate.latest({ migrationSource })) as [number, string[]];
  return applied;
}

/** Names of migrations that the database does not have. */
export async function pendingPostgresMigrations(database: Database): Promise<readonly string[]> {
  // Not knex's list(), which creates its tables where they are missing: the readiness check of a service would
  // interfere with a migration.
  const { rows } = await database.raw<{ rows: [{ exists: boolean }] }>(
    "select to_regclass('knex_migrations') is not null as exists",
  );
  const applied = rows[0].exists ? await database('knex_migrations').pluck<string[]>('name') : [];
  return migrations.map(({ name }) => name).filter((name) => !applied.includes(name));
}

const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: () => Promise.resolve([...migrations]),
  getMigrationName: ({ name }) => name,
  getMigration: ({ migration }) => Promise.resolve(migration),
};
