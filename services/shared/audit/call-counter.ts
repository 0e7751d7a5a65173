import type { RequestHandler } from 'express';
import { knownCallerOf } from '../http/request-context.ts';
import { routePattern } from '../http/request-metrics.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';
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

/** Counts requests, and writes what was counted. */
export interface RequestCounter {
  readonly count: RequestHandler;
  readonly job: PeriodicJob;
}

/**
 * Counts API calls by day, organisation, token, route and status, for the audit. Counts are kept in
 * memory and written to Postgres every few seconds, so that requests do not wait.
 */
export function callCounter(database: Database, logger: Logger): RequestCounter {
  let counts = new Map<string, CallCount>();

  function merge(added: CallCount): void {
    const { day, token_id, route, status } = added;
    const key = `${day} ${token_id} ${status} ${route}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, added);
    else known.call_count += added.call_count;
  }

  async function write(): Promise<void> {
    const written = [...counts.values()];
    if (written.length === 0) return;
    counts = new Map();
    try {
      await database('api_call_counts')
        .insert(written)
        .onConflict(['day', 'organisation_id', 'token_id', 'route', 'status'])
        .merge({ call_count: database.raw('api_call_counts.call_count + excluded.call_count') });
    } catch (error) {
      written.forEach(merge);
      throw error;
    }
  }

  return {
    /** Must come after authentication, which sets the organisation. */
    count: (req, res, next) => {
      res.on('close', () => {
        const caller = knownCallerOf(res);
        if (caller === undefined) return;
        merge({
          day: new Date().toISOString().slice(0, 10),
          organisation_id: caller.organisationId,
          token_id: caller.tokenId,
          route: `${req.method} ${routePattern(req)}`,
          status: res.statusCode,
          call_count: 1,
        });
      });
      next();
    },
    job: new PeriodicJob({
      run: write,
      intervalMs: flushIntervalMs,
      failure: 'could not write call counts',
      logger,
      runsAtStop: true,
    }),
  };
}
