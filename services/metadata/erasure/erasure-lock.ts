import type { Database } from '../../shared/postgres/connect-postgres.ts';

/** An arbitrary number that no other lock uses. */
const erasureLock = 7_263_544_113;
const heartbeatMs = 1_000;

/** Runs `work` if no other process erases. Returns undefined if one does. */
export async function withErasureLock<T>(
  database: Database,
  work: () => Promise<T>,
): Promise<T | undefined> {
  return database.transaction(async (transaction) => {
    const { rows } = await transaction.raw<{ rows: [{ locked: boolean }] }>(
      'select pg_try_advisory_xact_lock(?) as locked',
      [erasureLock],
    );
    if (!rows[0].locked) return undefined;
    // Postgres ends transactions that are idle for too long.
    const heartbeat = setInterval(() => {
      transaction.raw('select 1').catch(() => undefined);
    }, heartbeatMs);
    try {
      return await work();
    } finally {
      clearInterval(heartbeat);
    }
  });
}
