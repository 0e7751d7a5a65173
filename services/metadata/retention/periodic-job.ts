import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../shared/logging/create-logger.ts';

interface Parts {
  /** The signal is aborted when the job stops. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** From the end of a run to the start of the next one. */
  readonly intervalMs: number;
  /** Logged when a run fails, such as `could not enforce retention`. */
  readonly failure: string;
  readonly logger: Logger;
}

/** Runs at once and then at an interval, also after a failure. */
export class PeriodicJob {
  readonly #parts: Parts;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running = this.#repeat();
  }

  /** Waits for the current run. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #repeat(): Promise<void> {
    const { run, intervalMs, failure, logger } = this.#parts;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await run(signal).catch((error: unknown) => {
        logger.warn(`${failure}; will retry`, { error: String(error) });
      });
      await sleep(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
