import type { ClickHouseSettings } from '../shared/clickhouse/connect-clickhouse.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import {
  type ClickHouseMigrationResult,
  migrateClickHouse,
} from './clickhouse/migrate-clickhouse.ts';
import { applyPostgresMigrations, withMigrationLock } from './postgres/migrate-postgres.ts';

export interface MigrationResult {
  /** Names of the Postgres migrations applied now. */
  readonly postgres: readonly string[];
  readonly clickhouse: ClickHouseMigrationResult;
}

/** Migrates both schemas under a lock. Needs two Postgres connections. */
export function migrateSchemas(
  database: Database,
  clickhouse: ClickHouseSettings,
): Promise<MigrationResult> {
  return withMigrationLock(database, async () => ({
    postgres: await applyPostgresMigrations(database),
    clickhouse: await migrateClickHouse(clickhouse),
  }));
}
