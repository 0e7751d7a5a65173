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
    const [, applied] = (await database.migrate.latest({ migrationSource })) as [number, string[]];
    return applied;
  });
}

/** Names of migrations this build has and the database has not. */
export async function pendingPostgresMigrations(database: Database): Promise<readonly string[]> {
  const [, pending] = (await database.migrate.list({ migrationSource })) as [
    unknown,
    NamedMigration[],
  ];
  return pending.map(({ name }) => name);
}

const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: () => Promise.resolve([...migrations]),
  getMigrationName: ({ name }) => name,
  getMigration: ({ migration }) => Promise.resolve(migration),
};
