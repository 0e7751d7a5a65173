import type { Knex } from 'knex';

/** Namespace of the lock, shared with the trigger new_periods_do_not_overlap on agent_metadata. */
const historyLock = 1;

/** Serialises the changes of an organisation. With row locks, two large changes would deadlock. */
export async function lockHistory(
  transaction: Knex.Transaction,
  organisationId: number,
): Promise<void> {
  await transaction.raw('select pg_advisory_xact_lock(?, ?)', [historyLock, organisationId]);
}
