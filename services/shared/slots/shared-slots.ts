import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, retryAfter } from '../errors/app-error.ts';
import type { Logger } from '../logging/create-logger.ts';
import type { AdvisoryLocks, HeldLock } from '../postgres/advisory-locks.ts';
import { type AdvisoryLock, lockTable } from '../postgres/lock-table.ts';
import {
  noFreeSlot,
  OrganisationSlots,
  type ReleaseSlot,
  type Slots,
} from './organisation-slots.ts';

interface SlotLimits {
  /** Names what is limited, in the message to the client: `running queries`. */
  readonly work: string;
  readonly perOrganisation: number;
  /** Over all organisations. */
  readonly total: number;
  readonly maxWaitMs: number;
}

/**
 * Limits concurrent work per organisation and in total, over all replicas. A slot is an advisory lock in Postgres.
 * Each process first queues the work of an organisation, so that little of it waits for locks. While Postgres is
 * unreachable, each process applies the limit per organisation separately.
 */
export class SharedSlots implements Slots {
  readonly #limits: SlotLimits;
  readonly #locks: AdvisoryLocks;
  readonly #logger: Logger;
  readonly #ofProcess: OrganisationSlots;
  #waitingForLocks = 0;
  #refused = 0;
  #areLocksLost = false;

  constructor(limits: SlotLimits, locks: AdvisoryLocks, logger: Logger) {
    this.#limits = limits;
    this.#locks = locks;
    this.#logger = logger;
    const { work, perOrganisation, maxWaitMs } = limits;
    this.#ofProcess = new OrganisationSlots(work, perOrganisation, maxWaitMs);
  }

  get counts() {
    const { running, waiting, refused } = this.#ofProcess.counts;
    return {
      running: running - this.#waitingForLocks,
      waiting: waiting + this.#waitingForLocks,
      refused: refused + this.#refused,
    };
  }

  async acquire(organisationId: number, signal: AbortSignal, weight = 1): Promise<ReleaseSlot> {
    const deadlineMs = performance.now() + this.#limits.maxWaitMs * weight;
    const isQueued = this.#ofProcess.isFull(organisationId, weight);
    const releaseOfProcess = await this.#ofProcess.acquire(organisationId, signal, weight);
    this.#waitingForLocks++;
    try {
      // Without a pause, a process with a queue would take back every slot that it releases.
      if (isQueued) await sleep(Math.random() * longestPauseMs, undefined, { signal });
      const held = await this.#waitForLocks({ organisationId, weight }, deadlineMs, signal);
      return () => {
        this.#locks.release(held.splice(0));
        releaseOfProcess();
      };
    } catch (error) {
      releaseOfProcess();
      signal.throwIfAborted();
      throw error;
    } finally {
      this.#waitingForLocks--;
    }
  }

  /** The locks of a slot; none while Postgres is unreachable. */
  async #waitForLocks(
    wanted: WantedSlots,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<HeldLock[]> {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      const taken = await this.#tryLocks(wanted);
      if (taken === undefined) return [];
      const [own = [], shared = []] = taken;
      const held = [...own, ...shared];
      if (held.length === 2 * wanted.weight && !signal.aborted) return held;
      this.#locks.release(held);
      signal.throwIfAborted();
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) throw this.#refusal(own.length < wanted.weight, wanted.weight);
      const jitter = 0.5 + Math.random();
      await sleep(Math.min(leftMs, waitMs * jitter), undefined, { signal });
    }
  }

  /** Locks of the organisation and as many of all; undefined while Postgres is unreachable. */
  async #tryLocks({
    organisationId,
    weight,
  }: WantedSlots): Promise<readonly (readonly HeldLock[])[] | undefined> {
    const { perOrganisation, total } = this.#limits;
    try {
      const taken = await this.#locks.tryEach(
        [slotLocks(organisationId, perOrganisation), rotated(slotLocks(allOrganisations, total))],
        weight,
      );
      this.#areLocksLost = false;
      return taken;
    } catch (error) {
      if (!this.#areLocksLost) {
        this.#logger.warn('limits apply per process: Postgres is unreachable', {
          error: String(error),
        });
      }
      this.#areLocksLost = true;
      return undefined;
    }
  }

  #refusal(isOrganisationFull: boolean, weight: number): AppError {
    const { work, perOrganisation, total } = this.#limits;
    this.#refused++;
    return isOrganisationFull
      ? noFreeSlot(work, perOrganisation, weight)
      : serviceIsFull(work, total);
  }
}

interface WantedSlots {
  readonly organisationId: number;
  readonly weight: number;
}

const longestPauseMs = 20;
const firstWaitMs = 20;
const longestWaitMs = 200;

/** The largest limit. */
export const maxSharedSlots = 1_000;
/** Organisations start at 1. */
const allOrganisations = 0;

function slotLocks(organisationId: number, count: number): readonly AdvisoryLock[] {
  return Array.from({ length: count }, (_, n) => lockTable.slot(organisationId, n));
}

/** The list from a random position on: most attempts then find a free lock at once. */
function rotated<T>(list: readonly T[]): readonly T[] {
  const start = Math.floor(Math.random() * list.length);
  return [...list.slice(start), ...list.slice(0, start)];
}

function serviceIsFull(work: string, limit: number): AppError {
  return new AppError('RATE_LIMITED', {
    publicMessage: `The service already has ${limit} ${work}, the maximum over all organisations. Please retry shortly.`,
    headers: retryAfter(1),
  });
}
