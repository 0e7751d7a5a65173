import { setTimeout as sleep } from 'node:timers/promises';
import { BatchedLookup } from '../../registry/batched-lookup.ts';
import {
  type MetadataVersions,
  readAllMetadataVersions,
} from '../../registry/metadata-versions.ts';
import { AppError, validationError } from '../../shared/errors/app-error.ts';
import { metadataVersionHeader } from '../../shared/http/metadata-version-header.ts';
import { retryAfter } from '../../shared/http/retry-after.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { noFreeSlot } from '../../shared/slots/organisation-slots.ts';

/** All waiting requests of a process share a read of this interval. */
const pollMs = 50;
/** A waiting request holds a client's connection, and neither a slot nor a database connection. */
const maxWaitingPerOrganisation = 100;
const maxConcurrentReads = 2;
const retryAfterS = 1;

/** Reads the metadata versions of organisations, and waits until a version is published. */
export class PublishedMetadata {
  readonly #waitMs: number;
  readonly #versions: BatchedLookup<MetadataVersions>;
  readonly #waiting = new Map<number, number>();
  #nextPoll: Promise<void> | undefined;

  constructor(database: Database, waitMs: number) {
    this.#waitMs = waitMs;
    this.#versions = new BatchedLookup(
      maxConcurrentReads,
      async (keys) => {
        const found = await readAllMetadataVersions(database, keys.map(Number));
        return new Map([...found].map(([organisationId, one]) => [String(organisationId), one]));
      },
      // A change that was acknowledged before the request must not be missed.
      { isFresh: true },
    );
  }

  async versionsOf(organisationId: number): Promise<MetadataVersions> {
    return (await this.#versions.find(String(organisationId))) ?? { current: 0, published: 0 };
  }

  /** Throws VALIDATION_FAIL if the version does not exist, and SERVICE_UNAVAILABLE after the timeout. */
  async waitFor(
    organisationId: number,
    version: number,
    signal: AbortSignal,
  ): Promise<MetadataVersions> {
    const deadlineMs = performance.now() + this.#waitMs;
    let versions = await this.versionsOf(organisationId);
    if (version > versions.current) throw doesNotExist(version, versions);
    if (versions.published >= version) return versions;
    const waiting = this.#waiting.get(organisationId) ?? 0;
    if (waiting >= maxWaitingPerOrganisation) {
      throw noFreeSlot('requests that wait for metadata', maxWaitingPerOrganisation);
    }
    this.#waiting.set(organisationId, waiting + 1);
    try {
      while (versions.published < version) {
        if (performance.now() >= deadlineMs) throw isLate(version, versions);
        await this.#poll();
        signal.throwIfAborted();
        versions = await this.versionsOf(organisationId);
      }
      return versions;
    } finally {
      this.#stopWaiting(organisationId);
    }
  }

  // Waiting requests continue together, so that the lookup joins their reads.
  #poll(): Promise<void> {
    this.#nextPoll ??= sleep(pollMs).then(() => {
      this.#nextPoll = undefined;
    });
    return this.#nextPoll;
  }

  #stopWaiting(organisationId: number): void {
    const waiting = (this.#waiting.get(organisationId) ?? 1) - 1;
    if (waiting === 0) this.#waiting.delete(organisationId);
    else this.#waiting.set(organisationId, waiting);
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
