import { metricsOf, type Registry } from '../metrics.ts';
import { AppError, retryAfter } from '../errors/app-error.ts';
import type { Dependency } from '../http/dependency.ts';
import type { Logger } from '../logging/create-logger.ts';
import type { Database } from './connect-postgres.ts';

const readIntervalMs = 10_000;

interface Options {
  /** A larger skew makes the service unready. */
  readonly maxSkewMs: number;
  readonly logger: Logger;
  readonly registry: Registry;
}

interface Reading {
  /** How far the service's clock is ahead of Postgres' clock, beyond half the round trip. */
  readonly skewMs: number;
  /** The times of the service when it was read. */
  readonly wallMs: number;
  readonly monotonicMs: number;
  /** Postgres' time at monotonicMs. */
  readonly postgresMs: number;
}

/**
 * Compares the clock of this process with Postgres' clock every ten seconds. Validity times come from Postgres: a
 * service with a wrong clock would refuse current results permanently, or store results of the future.
 */
export class PostgresClock {
  readonly #database: Database;
  readonly #options: Options;
  #last: Reading | undefined;
  #reading: Promise<Reading> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOff = false;

  constructor(database: Database, options: Options) {
    this.#database = database;
    this.#options = options;
    metricsOf(options.registry).measured(
      'netpanel_clock_skew_seconds',
      'How far the clock of the service is ahead of Postgres (negative: behind), minus half the round trip.',
      () => (this.#last === undefined ? NaN : this.#skewMs(this.#last) / 1000),
    );
  }

  start(): void {
    const read = () => void this.#read().catch(() => undefined);
    read();
    this.#timer = setInterval(read, readIntervalMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Postgres' time, as far as it is known. */
  now(): Date {
    if (this.#last === undefined) return new Date();
    const { postgresMs, monotonicMs } = this.#last;
    return new Date(postgresMs + performance.now() - monotonicMs);
  }

  /** Throws CLOCK_SKEW if the clock of this process differs too much from Postgres' clock. */
  async requireTrusted(): Promise<{ readonly skewSeconds: number }> {
    let reading = this.#last ?? (await this.#read());
    // A step of the clock since the last reading, or the end of a suspension, which stops the monotonic clock.
    if (this.#isTooLarge(this.#skewMs(reading))) reading = await this.#read();
    const skewMs = this.#skewMs(reading);
    if (this.#isTooLarge(skewMs)) throw clockSkewError(skewMs);
    return { skewSeconds: skewMs / 1000 };
  }

  get dependency(): Dependency {
    const check = () =>
      this.requireTrusted().catch((error: unknown) => {
        throw error instanceof AppError
          ? new Error(`${error.code}: ${String(error.cause)}`)
          : error;
      });
    return { name: 'clock', required: true, check };
  }

  /** The skew now: the last one, and the steps of the service's clock since then. */
  #skewMs({ skewMs, wallMs, monotonicMs }: Reading): number {
    const steppedMs = Date.now() - wallMs - (performance.now() - monotonicMs);
    return skewMs + steppedMs;
  }

  #isTooLarge(skewMs: number): boolean {
    return Math.abs(skewMs) > this.#options.maxSkewMs;
  }

  /** Concurrent callers share one statement. */
  #read(): Promise<Reading> {
    this.#reading ??= this.#readOnce().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readOnce(): Promise<Reading> {
    const { skewMs, serverMs, halfTripMs } = await readClock(async () =>
      (await postgresNow(this.#database)).getTime(),
    );
    this.#last = {
      skewMs,
      wallMs: Date.now(),
      monotonicMs: performance.now(),
      postgresMs: serverMs + halfTripMs,
    };
    this.#log(skewMs);
    return this.#last;
  }

  /** Once per change, not with every reading. */
  #log(skewMs: number): void {
    const isOff = this.#isTooLarge(skewMs);
    if (isOff === this.#isOff) return;
    this.#isOff = isOff;
    const { logger } = this.#options;
    const skewSeconds = skewMs / 1000;
    if (isOff)
      logger.error('CLOCK_SKEW: the clock differs from the clock of Postgres', { skewSeconds });
    else logger.info('the clock agrees with the clock of Postgres again', { skewSeconds });
  }
}

function clockSkewError(skewMs: number): AppError {
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const direction = skewMs > 0 ? 'ahead of' : 'behind';
  return new AppError('CLOCK_SKEW', {
    headers: retryAfter(readIntervalMs / 1000),
    cause: `the clock of the service is ${seconds} s ${direction} the clock of Postgres`,
  });
}

/** Postgres' time. It decides what is valid now, on whichever machine a service or a command runs. */
export async function postgresNow(database: Database): Promise<Date> {
  const { rows } = await database.raw<{ rows: [{ now: Date }] }>('select clock_timestamp() as now');
  return rows[0].now;
}

/**
 * Compares the clock of this process with that of a server. Half the round trip is subtracted from the difference, so
 * that a slow response is not taken for a wrong clock.
 */
export async function readClock(serverTimeMs: () => Promise<number>) {
  const wallMs = Date.now();
  const sentMs = performance.now();
  const serverMs = await serverTimeMs();
  const halfTripMs = (performance.now() - sentMs) / 2;
  const differenceMs = wallMs + halfTripMs - serverMs;
  const skewMs = Math.sign(differenceMs) * Math.max(0, Math.abs(differenceMs) - halfTripMs);
  return { skewMs, serverMs, halfTripMs };
}
