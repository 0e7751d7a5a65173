import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { Migration } from './read-migrations.ts';

/** One row per applied statement. A file is complete when its last statement is recorded. */
export const migrationRecords = `CREATE TABLE IF NOT EXISTS schema_migrations
(
    version UInt32,
    statement UInt32 COMMENT 'Place in the file, from 1',
    name String,
    statement_count UInt32 COMMENT 'Statements that the file had',
    statement_sha256 String,
    file_sha256 String,
    applied_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(applied_at)
ORDER BY (version, statement)
COMMENT 'Statements of services/schema/clickhouse/migrations that were applied'`;

export interface PendingMigration extends Migration {
  /** Number of statements that are already applied. */
  readonly appliedCount: number;
}

/** Migrations that are not complete. Throws if a file was changed after it was applied. */
export async function pendingMigrations(
  client: ClickHouseClient,
  migrations: readonly Migration[],
): Promise<readonly PendingMigration[]> {
  const records = await queryRows<StatementRecord>(
    client,
    `SELECT version, statement, statement_count, statement_sha256, file_sha256
FROM schema_migrations FINAL ORDER BY version, statement`,
  );
  return migrations.flatMap((migration) => {
    const own = records.filter(({ version }) => version === migration.version);
    if (isComplete(migration, own)) return [];
    return [{ ...migration, appliedCount: unchangedCount(migration, own) }];
  });
}

/** Records a statement as applied, by its position in the file, counted from 1. */
export async function recordStatement(
  client: ClickHouseClient,
  migration: Migration,
  statement: number,
): Promise<void> {
  const row = {
    version: migration.version,
    statement,
    name: migration.name,
    statement_count: migration.statements.length,
    statement_sha256: migration.statements[statement - 1]?.sha256 ?? '',
    file_sha256: migration.sha256,
  };
  await client.insert({ table: 'schema_migrations', values: [row], format: 'JSONEachRow' });
}

interface StatementRecord {
  readonly version: number;
  readonly statement: number;
  readonly statement_count: number;
  readonly statement_sha256: string;
  readonly file_sha256: string;
}

function isComplete({ name, sha256 }: Migration, records: readonly StatementRecord[]): boolean {
  const last = records.at(-1);
  if (last === undefined || last.statement < last.statement_count) return false;
  if (last.file_sha256 !== sha256) {
    throw new Error(
      `Migration ${name} was changed after it was applied: restore the file and put the change into a new one`,
    );
  }
  return true;
}

/** After a failure in the middle of a file, the statements that were not applied may be corrected. */
function unchangedCount(
  { name, statements }: Migration,
  records: readonly StatementRecord[],
): number {
  for (const { statement, statement_sha256: recorded } of records) {
    if (statements[statement - 1]?.sha256 !== recorded) {
      throw new Error(
        `Statement ${statement} of migration ${name} was changed after it was applied: ` +
          'restore it; only statements that were not applied yet may change',
      );
    }
  }
  return records.length;
}
