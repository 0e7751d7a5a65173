import type { Knex } from 'knex';
import type { Database } from './connect-postgres.ts';
import type { AdvisoryLock } from './lock-table.ts';

const heartbeatMs = 1_000;

/**
 * Runs `work` under an advisory lock, and returns its result; undefined if another process has the lock.
 * Postgres releases the lock when the connection ends, so a killed process does not leave it behind.
 */
export async function withAdvisoryLock<T>(
  database: Database,
  lock: AdvisoryLock,
  work: (holder: Knex.Transaction) => Promise<T>,
): Promise<T | undefined> {
  return database.transaction(async (holder) => {
    if ((await tryLocks(holder, [lock])).length === 0) return undefined;
    // Postgres ends transactions that are idle for too long.
    const heartbeat = setInterval(() => {
      holder.raw('select 1').catch(() => undefined);
    }, heartbeatMs);
    try {
      return await work(holder);
    } finally {
      clearInterval(heartbeat);
    }
  });
}

/** Takes the locks that are free until the end of the transaction, and returns them. */
export async function tryLocks<L extends AdvisoryLock>(
  transaction: Knex.Transaction,
  locks: readonly L[],
): Promise<readonly L[]> {
  const { rows } = await transaction.raw<{ rows: { position: number }[] }>(
    `select position::int from unnest(cast(? as int[]), cast(? as int[])) with ordinality
       as lock (namespace, key, position)
     where pg_try_advisory_xact_lock(namespace, key)`,
    [locks.map(([namespace]) => namespace), locks.map(([, key]) => key)],
  );
  const taken = new Set(rows.map(({ position }) => position));
  return locks.filter((_, i) => taken.has(i + 1));
}

/** Takes a lock until the end of the transaction. Waits while another transaction has it. */
export async function waitForLock(
  transaction: Knex.Transaction,
  lock: AdvisoryLock,
): Promise<void> {
  await transaction.raw('select pg_advisory_xact_lock(?, ?)', [...lock]);
}
