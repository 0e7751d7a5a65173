import type { Knex } from 'knex';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { waitForLock } from '../../shared/postgres/with-advisory-lock.ts';
import { grantRoles } from './grant-roles.ts';
import * as tenants from './migrations/001-tenants.ts';
import * as agents from './migrations/002-agents.ts';
import * as history from './migrations/003-metadata-history.ts';
import * as bookkeeping from './migrations/004-bookkeeping.ts';
import * as snapshotDue from './migrations/005-snapshot-due.ts';
import * as agentIds from './migrations/006-agent-ids.ts';
import * as customKeys from './migrations/007-custom-keys.ts';
import * as publications from './migrations/008-publications.ts';
import * as explicitGrants from './migrations/009-explicit-grants.ts';
import * as tokenScopes from './migrations/010-token-scopes.ts';
import * as auditEvents from './migrations/011-audit-events.ts';
import * as erasures from './migrations/013-erasures.ts';
import * as retention from './migrations/014-retention.ts';
import * as exportQuota from './migrations/015-export-quota.ts';
import * as rowSecurity from './migrations/016-row-security.ts';
import * as metadataVersions from './migrations/017-metadata-versions.ts';
import * as metadataHistoryStart from './migrations/018-metadata-history-start.ts';
import * as watchedFiles from './migrations/019-watched-files.ts';
import * as privacyFloor from './migrations/020-privacy-floor.ts';
import * as agentSets from './migrations/021-agent-sets.ts';
import * as changedAgents from './migrations/022-changed-agents.ts';
import * as ingestRequests from './migrations/023-ingest-requests.ts';
import * as savedViews from './migrations/024-saved-views.ts';
import * as exportRestart from './migrations/025-export-restart.ts';
import * as checksPerStatement from './migrations/026-checks-per-statement.ts';
import * as releaseStart from './migrations/027-release-start.ts';

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
  { name: '006-agent-ids', migration: agentIds },
  { name: '007-custom-keys', migration: customKeys },
  { name: '008-publications', migration: publications },
  { name: '009-explicit-grants', migration: explicitGrants },
  { name: '010-token-scopes', migration: tokenScopes },
  { name: '011-audit-events', migration: auditEvents },
  { name: '013-erasures', migration: erasures },
  { name: '014-retention', migration: retention },
  { name: '015-export-quota', migration: exportQuota },
  { name: '016-row-security', migration: rowSecurity },
  { name: '017-metadata-versions', migration: metadataVersions },
  { name: '018-metadata-history-start', migration: metadataHistoryStart },
  { name: '019-watched-files', migration: watchedFiles },
  { name: '020-privacy-floor', migration: privacyFloor },
  { name: '021-agent-sets', migration: agentSets },
  { name: '022-changed-agents', migration: changedAgents },
  { name: '023-ingest-requests', migration: ingestRequests },
  { name: '024-saved-views', migration: savedViews },
  { name: '025-export-restart', migration: exportRestart },
  { name: '026-checks-per-statement', migration: checksPerStatement },
  { name: '027-release-start', migration: releaseStart },
];

/** Migrates the Postgres schema under a lock, and returns the names of the applied migrations. */
export function migratePostgres(database: Database): Promise<readonly string[]> {
  return withMigrationLock(database, () => applyPostgresMigrations(database));
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
export async function applyPostgresMigrations(database: Database): Promise<readonly string[]> {
  // A killed process leaves knex's own lock behind, and so can several processes on an empty database. Safe to free:
  // we hold the advisory lock.
  await database.migrate.forceFreeMigrationsLock({ migrationSource });
  const [, applied] = (await database.migrate.latest({ migrationSource })) as [number, string[]];
  await grantRoles(database);
  return applied;
}

/** Names of migrations that are not applied. */
export async function pendingPostgresMigrations(database: Database): Promise<readonly string[]> {
  // Not knex's list(), which creates its tables if they are missing: readiness checks would interfere with a
  // migration.
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
