import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logging/create-logger.ts';
import { withTimeout } from '../with-timeout.ts';

interface Parts {
  /** The signal is aborted when the job stops. A number is the pause after this run, instead of `intervalMs`. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
  /** From the end of a run to the start of the next one. */
  readonly intervalMs: number;
  /** Logged when a run fails, such as `could not enforce retention`. */
  readonly failure: string;
  readonly logger: Logger;
  /** Whether there is a last run when the job stops, to write what is left. */
  readonly runsAtStop?: boolean;
  /** How long a stop waits for the current run. Default: until it ends. */
  readonly stopGraceMs?: number;
}

/**
 * Background work of a process. Runs at once and then at an interval, also after a failure. Work that another process
 * must continue when this one is killed is a DurableJob.
 */
export class PeriodicJob {
  readonly #parts: Parts;
  readonly #stop = new AbortController();
  #wakeUp = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running = this.#repeat();
  }

  /** Ends the pause, or the next one if a run is under way. */
  readonly wake = (): void => this.#wakeUp.abort();

  /** Waits for the current run. */
  async stop(): Promise<void> {
    const { stopGraceMs, runsAtStop } = this.#parts;
    this.#stop.abort();
    this.wake();
    if (stopGraceMs === undefined) await this.#running;
    else await withTimeout(stopGraceMs, this.#running).catch(() => undefined);
    if (runsAtStop === true) await this.#attempt();
  }

  async #repeat(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const pauseMs = await this.#attempt();
      await sleep(pauseMs, undefined, { signal: this.#wakeUp.signal, ref: false }).catch(
        () => undefined,
      );
      this.#wakeUp = new AbortController();
    }
  }

  async #attempt(): Promise<number> {
    const { run, intervalMs, failure, logger } = this.#parts;
    try {
      const pauseMs = await run(this.#stop.signal);
      return typeof pauseMs === 'number' ? pauseMs : intervalMs;
    } catch (error) {
      logger.warn(`${failure}; will retry`, { error: String(error) });
      return intervalMs;
    }
  }
}
