import type { Knex } from 'knex';

/** Namespace of the lock, shared with the trigger new_periods_fit on agent_metadata. */
const historyLock = 1;

/** Changes of one organisation queue here: with row locks, two large ones would deadlock. */
export async function lockHistory(
  transaction: Knex.Transaction,
  organisationId: number,
): Promise<void> {
  await transaction.raw('select pg_advisory_xact_lock(?, ?)', [historyLock, organisationId]);
}
