import type { Logger } from '../../shared/logging/create-logger.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';

interface Kept {
  readonly idempotencyHours: number;
  /** Per organisation. */
  readonly maxIdempotencyKeys: number;
}

const intervalMs = 60_000;

/** Removes answers that are too old or too many, every minute. Returns the function that stops it. */
export function startRemovingOldAnswers(
  database: Database,
  kept: Kept,
  logger: Logger,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = removeOldAnswers(database, kept).catch((error: unknown) => {
      logger.warn('could not remove old answers; will retry', { error: String(error) });
    });
  }, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

async function removeOldAnswers(
  database: Database,
  { idempotencyHours, maxIdempotencyKeys }: Kept,
): Promise<void> {
  await database.raw(
    "delete from ingest_requests where stored_at <= now() - ? * interval '1 hour'",
    [idempotencyHours],
  );
  // Per organisation, the newest answer that is too many: it and those before it are removed.
  await database.raw(
    `delete from ingest_requests r using organisations o
     where r.organisation_id = o.id and r.stored_at <= (
       select n.stored_at from ingest_requests n where n.organisation_id = o.id
       order by n.stored_at desc offset ? limit 1)`,
    [maxIdempotencyKeys],
  );
}
