import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { withAdvisoryLock } from '../../shared/postgres/with-advisory-lock.ts';
import type { Erasure } from './erasure.ts';
import { runningErasures } from './erasure-ledger.ts';
import type { ErasureTools } from './erasure-tools.ts';
import { runErasure } from './run-erasure.ts';

/** For erasures by the command line and other replicas, and for the next attempt of one that waits. */
const pollMs = 5_000;
/** How long a shutdown waits for the current step. The next start repeats it. */
const stopGraceMs = 5_000;

/**
 * Carries out erasures in the background. Every replica has a worker; a lock lets one of them, or the
 * command line, work at a time. An erasure that waits does not delay the others.
 */
export class ErasureWorker {
  readonly #tools: ErasureTools;
  readonly #logger: Logger;
  #running: Promise<void> = Promise.resolve();
  #stopping = false;
  #wakeUp = new AbortController();

  constructor(tools: ErasureTools, logger: Logger) {
    this.#tools = tools;
    this.#logger = logger;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** To be called when an erasure was requested. */
  readonly wake = (): void => this.#wakeUp.abort();

  async stop(): Promise<void> {
    this.#stopping = true;
    this.wake();
    const grace = new AbortController();
    const timeout = sleep(stopGraceMs, undefined, { signal: grace.signal }).catch(() => undefined);
    await Promise.race([this.#running, timeout]);
    grace.abort();
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      await this.#attempt().catch((error: unknown) => {
        this.#logger.warn('could not erase; will retry', { error: String(error) });
      });
      await sleep(pollMs, undefined, { signal: this.#wakeUp.signal }).catch(() => undefined);
      this.#wakeUp = new AbortController();
    }
  }

  async #attempt(): Promise<void> {
    const { database } = this.#tools;
    if ((await runningErasures(database)).length === 0) return;
    await withAdvisoryLock(database, lockTable.erasure(), async () => {
      for (const id of await runningErasures(database)) {
        if (this.#stopping) return;
        this.#log(await runErasure(this.#tools, id));
      }
    });
  }

  #log(erasure: Erasure | undefined): void {
    if (erasure?.endedAt) {
      const { id, organisationId, report } = erasure;
      this.#logger.info('erasure ended', { id, organisationId, report });
    } else if (erasure?.lastError) {
      const { id, attempts, lastError } = erasure;
      this.#logger.warn('an erasure failed; will retry', { id, attempts, error: lastError });
    }
  }
}
