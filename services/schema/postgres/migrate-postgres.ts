import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { waitForLock } from '../../shared/postgres/with-advisory-lock.ts';
import { repositoryRoot } from '../../shared/repository-root.ts';
import { grantRoles } from './grant-roles.ts';

const migrationFolder = join(repositoryRoot, 'services/schema/postgres/migrations');

/** Migrates the Postgres schema under a lock, and returns the names of the applied migrations. */
export function migratePostgres(
  database: Database,
  folder = migrationFolder,
): Promise<readonly string[]> {
  return withMigrationLock(database, () => applyPostgresMigrations(database, folder));
}

/**
 * Runs `work` under the migration lock. Postgres releases an advisory lock when its connection ends, so a killed
 * process does not leave it behind. The transaction has no snapshot, so it does not delay vacuum.
 */
export async function withMigrationLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return database.transaction(async (holder) => {
    await waitForLock(holder, lockTable.migration());
    return work();
  });
}

/** Must be called under the migration lock. */
export async function applyPostgresMigrations(
  database: Database,
  folder = migrationFolder,
): Promise<readonly string[]> {
  const migrationSource = sqlFiles(folder);
  rejectEarlierSchema(await appliedMigrations(database));
  // A killed process leaves knex's own lock behind, and so can several processes on an empty database. Safe to free:
  // we hold the advisory lock.
  await database.migrate.forceFreeMigrationsLock({ migrationSource });
  const [, applied] = (await database.migrate.latest({ migrationSource })) as [number, string[]];
  await grantRoles(database);
  return applied;
}

/** Names of migrations that are not applied. */
export async function pendingPostgresMigrations(database: Database): Promise<readonly string[]> {
  const applied = await appliedMigrations(database);
  return migrationNames(migrationFolder).filter((name) => !applied.includes(name));
}

async function appliedMigrations(database: Database): Promise<readonly string[]> {
  // Not knex's list(), which creates its tables if they are missing: readiness checks would interfere with a
  // migration.
  const { rows } = await database.raw<{ rows: [{ exists: boolean }] }>(
    "select to_regclass('knex_migrations') is not null as exists",
  );
  return rows[0].exists ? database('knex_migrations').pluck<string[]>('name') : [];
}

/** Before the baseline, migrations were named 001-tenants. */
function rejectEarlierSchema(applied: readonly string[]): void {
  if (!applied.some((name) => /^\d{3}-/.test(name))) return;
  throw new Error(
    'the Postgres database has the schema of an unreleased version of netpanel and cannot be migrated: ' +
      'run make clean (local stack) or start from an empty database',
  );
}

/** The files NNN_name.sql of a folder, each in a transaction with its record. */
function sqlFiles(folder: string): Knex.MigrationSource<string> {
  return {
    getMigrations: () => Promise.resolve(migrationNames(folder)),
    getMigrationName: (name) => name,
    getMigration: (name) =>
      Promise.resolve({
        async up(knex: Knex) {
          // knex takes a question mark for a parameter.
          const sql = readFileSync(join(folder, `${name}.sql`), 'utf8').replaceAll('?', '\\?');
          await knex.raw(sql);
        },
        // knex requires it.
        down: () => Promise.reject(new Error(`${name} cannot be undone`)),
      }),
  };
}

function migrationNames(folder: string): string[] {
  const names = readdirSync(folder).map((file) => file.replace(/\.sql$/, ''));
  const misnamed = names.find((name) => !/^\d{3}_\w+$/.test(name));
  if (misnamed !== undefined) throw new Error(`Migration ${misnamed} must be named NNN_name.sql`);
  return names.sort();
}
