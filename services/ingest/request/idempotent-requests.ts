import { AppError, retryAfter, validationError } from '../../shared/errors/app-error.ts';
import type { AdvisoryLocks, HeldLock } from '../../shared/postgres/advisory-locks.ts';
import { PeriodicJob } from '../../shared/jobs/periodic-job.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';

export interface KeyedRequest {
  readonly organisationId: number;
  readonly key: string;
  /** Stores the results. */
  readonly run: () => Promise<object>;
  /** Reads the body without storing anything. */
  readonly skip: () => Promise<void>;
  /** SHA-256 of the request, after run or skip. */
  readonly sha256: () => Buffer;
}

interface StoredAnswer {
  readonly sha256: Buffer;
  readonly data: object;
}

/** Runs requests with the same Idempotency-Key once. Only successful requests are remembered. */
export class IdempotentRequests {
  readonly #database: Database;
  readonly #locks: AdvisoryLocks;
  readonly #keptHours: number;

  constructor(database: Database, locks: AdvisoryLocks, keptHours: number) {
    this.#database = database;
    this.#locks = locks;
    this.#keptHours = keptHours;
  }

  /** `isReplayed`: the response is that of an earlier request. */
  async answer(request: KeyedRequest) {
    const { organisationId, key, run, skip, sha256 } = request;
    // Released by Postgres when the process is killed: then the request can be repeated at once.
    const lock = await this.#lock(organisationId, key);
    try {
      const stored = await this.#find(organisationId, key);
      if (stored === undefined) {
        const data = await run();
        await this.#add(organisationId, key, { sha256: sha256(), data });
        return { data, isReplayed: false };
      }
      await skip();
      if (!stored.sha256.equals(sha256())) throw usedForAnother();
      return { data: stored.data, isReplayed: true };
    } finally {
      this.#locks.release([lock]);
    }
  }

  async #lock(organisationId: number, key: string): Promise<HeldLock> {
    const wanted = lockTable.idempotencyKey(organisationId, key);
    const [[lock] = []] = await this.#locks.tryEach([[wanted]]).catch((error: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', { headers: retryAfter(5), cause: error });
    });
    if (lock === undefined) throw stillRunning();
    return lock;
  }

  #find(organisationId: number, key: string): Promise<StoredAnswer | undefined> {
    return inOrganisation(this.#database, organisationId, (transaction) =>
      transaction('ingest_requests')
        .where({ organisation_id: organisationId, idempotency_key: key })
        .whereRaw("stored_at > now() - ? * interval '1 hour'", [this.#keptHours])
        .first<StoredAnswer | undefined>({ sha256: 'request_sha256', data: 'answer' }),
    );
  }

  async #add(organisationId: number, key: string, { sha256, data }: StoredAnswer): Promise<void> {
    await inOrganisation(this.#database, organisationId, (transaction) =>
      transaction('ingest_requests')
        .insert({
          organisation_id: organisationId,
          idempotency_key: key,
          request_sha256: sha256,
          answer: JSON.stringify(data),
        })
        // The key of an expired answer that was not removed yet.
        .onConflict(['organisation_id', 'idempotency_key'])
        .merge({
          request_sha256: sha256,
          answer: JSON.stringify(data),
          stored_at: transaction.fn.now(),
        }),
    );
  }
}

function stillRunning(): AppError {
  return new AppError('RATE_LIMITED', {
    publicMessage: 'A request with this Idempotency-Key is still running. Please retry shortly.',
    headers: retryAfter(1),
  });
}

function usedForAnother(): AppError {
  return validationError({
    'Idempotency-Key': ['This key was used for another request. Use a new key for each request.'],
  });
}

interface Kept {
  readonly idempotencyHours: number;
  /** Per organisation. */
  readonly maxIdempotencyKeys: number;
}

const intervalMs = 60_000;

/** Removes answers that are too old or too many, every minute. */
export function removalOfOldAnswers(database: Database, kept: Kept, logger: Logger): PeriodicJob {
  return new PeriodicJob({
    run: () => removeOldAnswers(database, kept),
    intervalMs,
    failure: 'could not remove old answers',
    logger,
  });
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
