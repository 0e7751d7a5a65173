import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { RetentionRule } from './retention-rule.ts';

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
export function functionRule(
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
