import { randomUUID } from 'node:crypto';
import { AppError, retryAfter, validationError } from '../../shared/errors/app-error.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import { readCache } from '../../shared/read-cache.ts';
import { OrganisationSlots } from '../../shared/slots/organisation-slots.ts';
import { traced } from '../../shared/tracing/traced.ts';
import type { KnownAt } from '../request/selection.ts';
import { clockOf } from '../request/parse-clock.ts';
import type { NumberRanges } from '../request/parse-context.ts';
import type { MetadataCopies } from './metadata-copies.ts';
import {
  historyAt,
  knownCustomNumbers,
  type KnownMoment,
  readKnownLines,
  replacedCustomKeys,
} from './metadata-history.ts';

interface Parts {
  readonly database: Database;
  readonly copies: MetadataCopies;
  /** The most periods of one copy. */
  readonly maxPeriods: number;
  /** How long a request waits for another copy of its organisation. */
  readonly maxWaitMs: number;
}

interface NumbersContext {
  readonly known: KnownMoment;
  readonly keys: readonly string[];
}

/** Copies of an organisation within three hours may have this many times the maximum of periods. */
const copiesPerOrganisation = 10;
const maxCachedChanges = 1_000;

export type KnownMetadata = ReturnType<typeof knownMetadata>;

/** The metadata as it was recorded at earlier moments: finds it, and copies it for queries. */
export function knownMetadata({ database, copies, maxPeriods, maxWaitMs }: Parts) {
  // One copy per organisation at a time: the next request may find what it needs.
  const slots = new OrganisationSlots('copies of earlier metadata', 1, maxWaitMs);
  // The history up to a change does not change.
  const replacedKeys = readCache({ max: maxCachedChanges }, (known: KnownMoment) =>
    inOrganisation(database, known.organisationId, (transaction) =>
      replacedCustomKeys(transaction, known),
    ),
  );
  const numbers = readCache({ max: maxCachedChanges }, ({ known, keys }: NumbersContext) =>
    inOrganisation(database, known.organisationId, (transaction) =>
      knownCustomNumbers(transaction, known, keys),
    ),
  );
  return { find, customNumbers: numbersOf, prepare };

  /** Throws a VALIDATION_FAIL if the history of the moment is not kept. `field`: of the request. */
  async function find(organisationId: number, moment: Date, field: string) {
    const known = { organisationId, moment };
    const changeId = await inOrganisation(database, organisationId, (transaction) =>
      requireKept(transaction, known, field),
    );
    const key = `${organisationId}:${changeId}`;
    // Includes keys that the current metadata no longer has.
    const customKeys = await replacedKeys.forceFetch(key, { context: known });
    return { knownAt: { moment, changeId }, customKeys };
  }

  /**
   * The custom keys that had numbers in any period, with the lowest number of each. Read again for a later version of the
   * metadata, because an erasure removes history.
   */
  function numbersOf(
    organisationId: number,
    { moment, changeId }: KnownAt,
    metadataVersion: number,
    keys: readonly string[],
  ): Promise<NumberRanges> {
    const key = `${organisationId}:${changeId}:${metadataVersion}:${JSON.stringify(keys)}`;
    const context = { known: { organisationId, moment }, keys };
    return numbers.forceFetch(key, { context });
  }

  /** Copies the metadata to ClickHouse, unless that was done within the last hour. */
  async function prepare(
    organisationId: number,
    { moment, changeId }: KnownAt,
    signal: AbortSignal,
  ): Promise<void> {
    const change = { organisationId, changeId };
    if (await copies.isCopied(change, signal)) return;
    const release = await slots.acquire(organisationId, signal);
    try {
      if (await copies.isCopied(change, signal)) return;
      await traced('copy earlier metadata', {}, () =>
        copy({ organisationId, moment }, changeId, signal),
      );
    } finally {
      release();
    }
  }

  async function copy(known: KnownMoment, changeId: number, signal: AbortSignal): Promise<void> {
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
async function requireKept(
  database: Database,
  known: KnownMoment,
  field = 'knownAt',
): Promise<number> {
  const { changeId, keptSince } = await historyAt(database, known);
  if (known.moment >= keptSince) return changeId;
  const earliest = clockOf(Math.ceil(keptSince.getTime() / 1000) * 1000);
  throw validationError({
    [field]: [`The metadata history begins at ${earliest} UTC. Send a later time.`],
  });
}

/** A change recorded at that time was still being committed when the history was read. */
function changedMeanwhile(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'A change of your metadata is being recorded. Please retry shortly.',
    headers: retryAfter(1),
  });
}

function tooManyCopies(): AppError {
  return new AppError('RATE_LIMITED', {
    publicMessage:
      'Your organisation has sent too many different values of knownAt. Please retry in an hour, or send values that you have sent before.',
    headers: retryAfter(600),
  });
}
