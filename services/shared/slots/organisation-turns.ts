import { OrganisationQueue } from './organisation-queue.ts';

/**
 * Shares the event loop: long work is divided into parts, and waits for a turn between two parts. There is one turn per
 * round of the event loop, for one organisation after another.
 */
export class OrganisationTurns {
  readonly #waiting = new OrganisationQueue<() => void>();
  #isScheduled = false;

  /** Throws the signal's reason when aborted. */
  next(organisationId: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(organisationId, () => {
        if (signal.aborted) reject(signal.reason as Error);
        else resolve();
      });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#waiting.take()?.();
      this.#schedule();
    });
  }
}
