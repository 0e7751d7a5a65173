import type { Database } from './connect-postgres.ts';

const heartbeatMs = 1_000;

/**
 * Runs `work` under an advisory lock, and returns its result; undefined if another process has the lock.
 * Postgres releases the lock when the connection ends, so a killed process does not leave it behind.
 */
export async function withAdvisoryLock<T>(
  database: Database,
  lock: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  return database.transaction(async (holder) => {
    const { rows } = await holder.raw<{ rows: [{ locked: boolean }] }>(
      'select pg_try_advisory_xact_lock(?) as locked',
      [lock],
    );
    if (!rows[0].locked) return undefined;
    // Postgres ends transactions that are idle for too long.
    const heartbeat = setInterval(() => {
      holder.raw('select 1').catch(() => undefined);
    }, heartbeatMs);
    try {
      return await work();
    } finally {
      clearInterval(heartbeat);
    }
  });
}
