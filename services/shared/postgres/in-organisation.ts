import type { Knex } from 'knex';
import type { Database } from './connect-postgres.ts';

/**
 * Runs `work` in a transaction that sees only rows of one organisation, whatever its statements say:
 * row-level security compares the setting with every row. Needs a role that does not own the tables.
 */
export async function inOrganisation<T>(
  database: Database,
  organisationId: number,
  work: (transaction: Knex.Transaction) => Promise<T>,
  options?: Knex.TransactionConfig,
): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.raw("select set_config('netpanel.organisation', ?, true)", [
      String(organisationId),
    ]);
    return work(transaction);
  }, options);
}
