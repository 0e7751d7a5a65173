import type { ClickHouseClient } from '@clickhouse/client';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { mutationRule, partitionRule } from './clickhouse-rules.ts';
import { functionRule } from './postgres-rules.ts';
import type { RetentionRule } from './retention-rule.ts';
import type { RetentionConfig } from './retention-settings.ts';

export interface RetentionStores {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
  /** Name of the ClickHouse cluster; empty for a single server. */
  readonly cluster: string;
}

/** Everything that has a retention period. docs/retention.md has the same list. */
export function retentionRules(
  stores: RetentionStores,
  config: RetentionConfig,
): readonly RetentionRule[] {
  const {
    retentionResultsDays,
    retentionMetadataVersionsDays,
    retentionAuditDays,
    retentionCallCountsDays,
  } = config;
  return [
    partitionRule(stores, {
      name: 'results',
      days: retentionResultsDays,
      tables: /^(test|last_rows)_/,
    }),
    // Without its record a block can be loaded again, and its rows are removed again.
    mutationRule(stores, {
      name: 'loaded_blocks',
      days: retentionResultsDays,
      table: 'loaded_blocks',
      time: 'loaded_at',
    }),
    // The same for a watched file that is still in its place.
    functionRule(stores.database, {
      name: 'watched_files',
      days: retentionResultsDays,
      rows: 'watched_files where ended_at < ?',
      deleteFunction: 'delete_watched_files_before',
    }),
    functionRule(stores.database, {
      name: 'metadata_versions',
      days: retentionMetadataVersionsDays,
      rows: 'agent_metadata where superseded_at < ?',
      deleteFunction: 'delete_metadata_superseded_before',
    }),
    // After the versions, which refer to them.
    functionRule(stores.database, {
      name: 'metadata_changes',
      days: retentionMetadataVersionsDays,
      rows: 'unused_metadata_changes where recorded_at < ?',
      deleteFunction: 'delete_unused_changes_before',
    }),
    // The last version is in use, and so may be those with rows.
    mutationRule(stores, {
      name: 'snapshot_versions',
      days: retentionMetadataVersionsDays,
      table: 'agent_metadata_version',
      time: 'published_at',
      keep: {
        column: 'version',
        valuesQuery: `SELECT DISTINCT partition AS value FROM system.parts
WHERE database = currentDatabase() AND table = 'agent_metadata_snapshot' AND active
UNION ALL SELECT toString(max(version)) AS value FROM agent_metadata_version`,
      },
    }),
    partitionRule(stores, {
      name: 'query_audit',
      days: retentionAuditDays,
      tables: /^query_audit$/,
    }),
    functionRule(stores.database, {
      name: 'audit_events',
      days: retentionAuditDays,
      rows: 'audit_events where occurred_at < ?',
      deleteFunction: 'delete_audit_events_before',
    }),
    functionRule(stores.database, {
      name: 'call_counts',
      days: retentionCallCountsDays,
      rows: "api_call_counts where day < (cast(? as timestamptz) at time zone 'UTC')::date",
      deleteFunction: 'delete_call_counts_before',
    }),
  ];
}
