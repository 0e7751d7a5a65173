import { setTimeout as sleep } from 'node:timers/promises';
import { BatchedLookup } from '../../shared/batched-lookup.ts';
import {
  type MetadataVersions,
  readAllMetadataVersions,
} from '../../registry/versions/metadata-versions.ts';
import { AppError, retryAfter, validationError } from '../../shared/errors/app-error.ts';
import { metadataVersionHeader } from '../../shared/http/metadata-version-header.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { noFreeSlot } from '../../shared/slots/organisation-slots.ts';

/** All waiting requests of a process share a read of this interval. */
const pollMs = 50;
/** A waiting request holds a client's connection, and neither a slot nor a database connection. */
const maxWaitingPerOrganisation = 100;
const maxConcurrentReads = 2;
const retryAfterS = 1;

export type PublishedMetadata = ReturnType<typeof publishedMetadata>;

/** Reads the metadata versions of organisations, and waits until a version is published. */
export function publishedMetadata(database: Database, waitMs: number) {
  const lookup = new BatchedLookup<MetadataVersions>(
    maxConcurrentReads,
    async (keys) => {
      const found = await readAllMetadataVersions(database, keys.map(Number));
      return new Map([...found].map(([organisationId, one]) => [String(organisationId), one]));
    },
    // A change that was acknowledged before the request must not be missed.
    { isFresh: true },
  );
  const waiting = new Map<number, number>();
  let nextPoll: Promise<void> | undefined;
  return { versionsOf, waitFor };

  async function versionsOf(organisationId: number): Promise<MetadataVersions> {
    return (await lookup.find(String(organisationId))) ?? { current: 0, published: 0 };
  }

  /** Throws VALIDATION_FAIL if the version does not exist, and SERVICE_UNAVAILABLE after the timeout. */
  async function waitFor(
    organisationId: number,
    version: number,
    signal: AbortSignal,
  ): Promise<MetadataVersions> {
    const deadlineMs = performance.now() + waitMs;
    let versions = await versionsOf(organisationId);
    if (version > versions.current) throw doesNotExist(version, versions);
    if (versions.published >= version) return versions;
    const others = waiting.get(organisationId) ?? 0;
    if (others >= maxWaitingPerOrganisation) {
      throw noFreeSlot('requests that wait for metadata', maxWaitingPerOrganisation);
    }
    waiting.set(organisationId, others + 1);
    try {
      while (versions.published < version) {
        if (performance.now() >= deadlineMs) throw isLate(version, versions);
        await poll();
        signal.throwIfAborted();
        versions = await versionsOf(organisationId);
      }
      return versions;
    } finally {
      stopWaiting(organisationId);
    }
  }

  // Waiting requests continue together, so that the lookup joins their reads.
  function poll(): Promise<void> {
    nextPoll ??= sleep(pollMs).then(() => {
      nextPoll = undefined;
    });
    return nextPoll;
  }

  function stopWaiting(organisationId: number): void {
    const left = (waiting.get(organisationId) ?? 1) - 1;
    if (left === 0) waiting.delete(organisationId);
    else waiting.set(organisationId, left);
  }
}

function doesNotExist(version: number, { current }: MetadataVersions): AppError {
  return validationError({
    [metadataVersionHeader]: [
      `Version ${version} does not exist. The current version of your organisation's metadata is ${current}.`,
    ],
  });
}

function isLate(version: number, { published }: MetadataVersions): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage:
      `Queries do not use version ${version} of your organisation's metadata yet: they use version ` +
      `${published}. The change is stored. Please retry shortly.`,
    headers: { ...retryAfter(retryAfterS), [metadataVersionHeader]: String(published) },
  });
}
