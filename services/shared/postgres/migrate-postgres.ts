import type { Knex } from 'knex';
import type { Database } from './connect-postgres.ts';
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

/** Any number that nothing else locks on. */
const migrationLock = 7_263_544_101;

/**
 * Brings the schema up to date and returns what was applied.
 *
 * knex has a lock of its own, but several starters on an empty database can leave it behind for
 * good; the advisory lock makes them queue, and goes away with the connection that held it.
 */
export async function migratePostgres(database: Database): Promise<readonly string[]> {
  return database.transaction(async (holder) => {
    await holder.raw('select pg_advisory_xact_lock(?)', [migrationLock]);
    // knex's own is left behind by a starter that was killed; whoever is here is alone.
    await database.migrate.forceFreeMigrationsLock({ migrationSource });
    const [, applied] = (await database.migrate.latest({ migrationSource })) as [number, string[]];
    return applied;
  });
}

/** Names of migrations this build has and the database has not. */
export async function pendingPostgresMigrations(database: Database): Promise<readonly string[]> {
  // Not knex's list(), which creates its tables where they are missing: a service that looks whether
  // it is ready would get in the way of whoever migrates.
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
