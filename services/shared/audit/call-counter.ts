import type { NextFunction, Request, Response } from 'express';
import { knownCallerOf } from '../http/request-context.ts';
import { routePattern } from '../http/request-metrics.ts';
import type { Logger } from '../logging/create-logger.ts';
import type { Database } from '../postgres/connect-postgres.ts';

const flushIntervalMs = 5_000;

interface CallCount {
  readonly day: string;
  readonly organisation_id: number;
  readonly token_id: number;
  readonly route: string;
  readonly status: number;
  call_count: number;
}

/**
 * Counts API calls by day, organisation, token, route and status, for the audit. Counts are kept in
 * memory and written to Postgres every few seconds, so that requests do not wait.
 */
export class CallCounter {
  readonly #database: Database;
  readonly #logger: Logger;
  #counts = new Map<string, CallCount>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), flushIntervalMs);
    this.#timer.unref();
  }

  /** Must come after authentication, which sets the organisation. */
  readonly count = (req: Request, res: Response, next: NextFunction): void => {
    res.on('close', () => this.#add(req, res));
    next();
  };

  /** Waits for a running flush, then writes the remaining counts. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  #add(req: Request, res: Response): void {
    const caller = knownCallerOf(res);
    if (caller === undefined) return;
    this.#merge({
      day: new Date().toISOString().slice(0, 10),
      organisation_id: caller.organisationId,
      token_id: caller.tokenId,
      route: `${req.method} ${routePattern(req)}`,
      status: res.statusCode,
      call_count: 1,
    });
  }

  #merge(added: CallCount): void {
    const { day, token_id, route, status } = added;
    const key = `${day} ${token_id} ${status} ${route}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, added);
    else known.call_count += added.call_count;
  }

  async #write(): Promise<void> {
    const counts = [...this.#counts.values()];
    if (counts.length === 0) return;
    this.#counts = new Map();
    try {
      await this.#database('api_call_counts')
        .insert(counts)
        .onConflict(['day', 'organisation_id', 'token_id', 'route', 'status'])
        .merge({
          call_count: this.#database.raw('api_call_counts.call_count + excluded.call_count'),
        });
    } catch (error) {
      for (const count of counts) this.#merge(count);
      this.#logger.warn('could not write call counts; will retry', { error: String(error) });
    }
  }
}
