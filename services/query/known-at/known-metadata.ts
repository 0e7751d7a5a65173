import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError, validationError } from '../../shared/errors/app-error.ts';
import { retryAfter } from '../../shared/http/retry-after.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import { OrganisationSlots } from '../../shared/slots/organisation-slots.ts';
import { traced } from '../../shared/tracing/traced.ts';
import type { KnownAt } from '../request/metric-query.ts';
import type { NumberRanges } from '../request/report/parse-number-field.ts';
import type { MetadataCopies } from './metadata-copies.ts';
import {
  historyAt,
  knownCustomNumbers,
  type KnownMoment,
  replacedCustomKeys,
} from './metadata-history.ts';
import { readKnownLines } from './read-known-lines.ts';

interface Parts {
  readonly database: Database;
  readonly copies: MetadataCopies;
  /** The most periods of one copy. */
  readonly maxPeriods: number;
  /** How long a request waits for another copy of its organisation. */
  readonly maxWaitMs: number;
}

/** Metadata that was found for a moment, and the custom keys that it has and the current one may not have. */
interface FoundMetadata {
  readonly knownAt: KnownAt;
  readonly customKeys: readonly string[];
}

interface NumbersContext {
  readonly known: KnownMoment;
  readonly keys: readonly string[];
}

/** An organisation may have copies for many moments, within three hours, of so many times the maximum. */
const copiesPerOrganisation = 10;
const maxCachedChanges = 1_000;

/** The metadata as it was recorded at earlier moments: finds it, and copies it for queries. */
export class KnownMetadata {
  readonly #parts: Parts;
  /** One copy per organisation at a time: the next request may find what it needs. */
  readonly #slots: OrganisationSlots;
  // The history up to a change does not change.
  readonly #customKeys: LRUCache<string, readonly string[], KnownMoment>;
  readonly #customNumbers: LRUCache<string, NumberRanges, NumbersContext>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#slots = new OrganisationSlots('copies of earlier metadata', 1, parts.maxWaitMs);
    this.#customKeys = new LRUCache({
      max: maxCachedChanges,
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context }) =>
        inOrganisation(parts.database, context.organisationId, (transaction) =>
          replacedCustomKeys(transaction, context),
        ),
    });
    this.#customNumbers = new LRUCache({
      max: maxCachedChanges,
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context: { known, keys } }) =>
        inOrganisation(parts.database, known.organisationId, (transaction) =>
          knownCustomNumbers(transaction, known, keys),
        ),
    });
  }

  /** Throws a VALIDATION_FAIL if the history of the moment is not kept. */
  async find(organisationId: number, moment: Date): Promise<FoundMetadata> {
    const known = { organisationId, moment };
    const changeId = await inOrganisation(this.#parts.database, organisationId, (transaction) =>
      requireKept(transaction, known),
    );
    const key = `${organisationId}:${changeId}`;
    const customKeys = await this.#customKeys.forceFetch(key, { context: known });
    return { knownAt: { moment, changeId }, customKeys };
  }

  /**
   * Which custom keys had numbers, and the lowest of each: of all periods. Read again for a later version of the
   * metadata: an erasure removes history.
   */
  customNumbers(
    organisationId: number,
    { moment, changeId }: KnownAt,
    metadataVersion: number,
    keys: readonly string[],
  ): Promise<NumberRanges> {
    const key = `${organisationId}:${changeId}:${metadataVersion}:${JSON.stringify(keys)}`;
    const context = { known: { organisationId, moment }, keys };
    return this.#customNumbers.forceFetch(key, { context });
  }

  /** Copies the metadata to ClickHouse, unless that was done within the last hour. */
  async prepare(
    organisationId: number,
    { moment, changeId }: KnownAt,
    signal: AbortSignal,
  ): Promise<void> {
    const change = { organisationId, changeId };
    if (await this.#parts.copies.isCopied(change, signal)) return;
    const release = await this.#slots.acquire(organisationId, signal);
    try {
      if (await this.#parts.copies.isCopied(change, signal)) return;
      await traced('copy earlier metadata', {}, () =>
        this.#copy({ organisationId, moment }, changeId, signal),
      );
    } finally {
      release();
    }
  }

  async #copy(known: KnownMoment, changeId: number, signal: AbortSignal): Promise<void> {
    const { database, copies, maxPeriods } = this.#parts;
    const { organisationId } = known;
    const copied = await copies.copiedPeriods(organisationId, signal);
    if (copied >= copiesPerOrganisation * maxPeriods) throw tooManyCopies();
    const fill = randomUUID();
    // One view of the database: retention must not delete history between the check and the rows.
    const rowCount = await inOrganisation(
      database,
      organisationId,
      async (transaction) => {
        if ((await requireKept(transaction, known)) !== changeId) throw changedMeanwhile();
        const read = { rowCount: 0 };
        const lines = readKnownLines(transaction, known, { fill, maxPeriods, read, signal });
        await copies.insert(lines, signal);
        return read.rowCount;
      },
      { isolationLevel: 'repeatable read', readOnly: true },
    );
    await copies.complete({ organisationId, changeId }, fill, rowCount, signal);
  }
}

/** Returns the last change up to the moment. */
async function requireKept(database: Database, known: KnownMoment): Promise<number> {
  const { changeId, keptSince } = await historyAt(database, known);
  if (known.moment >= keptSince) return changeId;
  const firstSecond = new Date(Math.ceil(keptSince.getTime() / 1000) * 1000);
  const earliest = firstSecond.toISOString().slice(0, 19).replace('T', ' ');
  throw validationError({
    knownAt: [
      `Metadata as it was recorded before ${earliest} UTC is not kept. Send a later moment.`,
    ],
  });
}

/** A change of this very moment, which had not ended when the moment was looked up. */
function changedMeanwhile(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'A change of your metadata is being recorded. Please retry shortly.',
    headers: retryAfter(1),
  });
}

function tooManyCopies(): AppError {
  return new AppError('RATE_LIMITED', {
    publicMessage:
      'Your organisation has sent knownAt with too many different moments. Please retry in an hour, or send moments that you have sent before.',
    headers: retryAfter(600),
  });
}
