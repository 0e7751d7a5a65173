import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { Stores } from '../../shared/stores.ts';
import { mutationRule, partitionRule } from './clickhouse-rules.ts';
import type { RetentionRule } from './retention-rule.ts';
import type { RetentionConfig } from './retention-settings.ts';

/** Everything that has a retention period. docs/retention.md has the same list. */
export function retentionRules(stores: Stores, config: RetentionConfig): readonly RetentionRule[] {
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
      rows: 'agent_metadata where least(superseded_at, shortened_at) < ?',
      deleteFunction: 'delete_metadata_superseded_before',
    }),
    // After the versions, which refer to them.
    functionRule(stores.database, {
      name: 'metadata_changes',
      days: retentionMetadataVersionsDays,
      rows: 'unused_metadata_changes where recorded_at < ?',
      deleteFunction: 'delete_unused_changes_before',
    }),
    // The sets that were replaced, with the factors of their households.
    functionRule(stores.database, {
      name: 'weight_replicates',
      days: retentionMetadataVersionsDays,
      rows: `(select s.superseded_at from weight_replicates s
        union all select s.superseded_at
        from weight_replicates s join weight_replicate_factors f on f.replicates_id = s.id) as replaced
        where superseded_at < ?`,
      deleteFunction: 'delete_weight_replicates_before',
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

interface PostgresRule extends Pick<RetentionRule, 'name' | 'days'> {
  /** The old rows, as `table where time < ?`. */
  readonly rows: string;
  /** Deletes one batch and returns the number of rows. */
  readonly deleteFunction: string;
}

/** A short transaction: a batch takes less than a second. */
const rowsPerBatch = 5_000;
/** A batch that waits for a lock must not make others wait behind it. The next run repeats it. */
const lockTimeout = '5s';

/** Deletes rows by a function of the database: the role of the service may not delete them otherwise. */
function functionRule(
  database: Database,
  { name, days, rows, deleteFunction }: PostgresRule,
): RetentionRule {
  return {
    name,
    days,
    count: async (before) => {
      const counted = await database.raw<{ rows: [{ count: number }] }>(
        `select count(*) as count from ${rows}`,
        [before],
      );
      return counted.rows[0].count;
    },
    remove: async function* (before) {
      for (;;) {
        const deleted = await database.transaction(async (transaction) => {
          await transaction.raw(`set local lock_timeout = '${lockTimeout}'`);
          const { rows } = await transaction.raw<{ rows: [{ deleted: number }] }>(
            `select ${deleteFunction}(?, ${rowsPerBatch}) as deleted`,
            [before],
          );
          return rows[0].deleted;
        });
        yield deleted;
        if (deleted < rowsPerBatch) return;
      }
    },
  };
}
