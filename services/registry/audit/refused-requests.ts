import { type AuditEvent, recordAuditEvents } from './audit-events.ts';
import { AttemptCounter, type CountedAttempts } from '../../shared/audit/attempt-counter.ts';
import type { RequestCounter } from '../../shared/audit/call-counter.ts';
import { knownCallerOf } from '../../shared/http/request-context.ts';
import { routePattern } from '../../shared/http/request-metrics.ts';
import { PeriodicJob } from '../../shared/jobs/periodic-job.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { codeOfStatus } from '../../shared/errors/error-codes.ts';

const flushIntervalMs = 5_000;
/** Events that wait while Postgres is unavailable. Beyond this the oldest are dropped. */
const maxWaiting = 1_000;

interface Attempt {
  readonly organisationId: number | null;
  readonly actor: string;
  readonly route: string;
  readonly status: number;
}

const others: Attempt = { organisationId: null, actor: 'others', route: 'none', status: 0 };

/**
 * Records requests that were refused or failed as audit events: one per minute, client, route and
 * status, with their number.
 */
export function refusedRequests(database: Database, logger: Logger): RequestCounter {
  const attempts = new AttemptCounter<Attempt>(others);
  let waiting: AuditEvent[] = [];

  async function write(signal: AbortSignal): Promise<void> {
    waiting.push(...attempts.takeEnded(signal.aborted ? Infinity : Date.now()).map(toEvent));
    const events = waiting.slice(-maxWaiting);
    waiting = [];
    if (events.length === 0) return;
    try {
      await recordAuditEvents(database, events);
    } catch (error) {
      waiting.unshift(...events);
      throw error;
    }
  }

  return {
    /** Must come before authentication, whose refusals are recorded too. */
    count: (req, res, next) => {
      res.on('close', () => {
        if (res.statusCode < 400) return;
        const caller = knownCallerOf(res);
        attempts.add({
          organisationId: caller?.organisationId ?? null,
          actor: caller === undefined ? `address ${req.ip}` : `token ${caller.tokenId}`,
          route: `${req.method} ${routePattern(req)}`,
          status: res.statusCode,
        });
      });
      next();
    },
    job: new PeriodicJob({
      run: write,
      intervalMs: flushIntervalMs,
      failure: 'could not write audit events',
      logger,
      runsAtStop: true,
    }),
  };
}

function toEvent({ attempt, minuteMs, count }: CountedAttempts<Attempt>): AuditEvent {
  const { organisationId, actor, route, status } = attempt;
  return {
    occurredAt: new Date(minuteMs),
    organisationId,
    actor,
    action: 'request.refuse',
    target: route,
    details: { requests: count, status },
    outcome: codeOfStatus(status),
  };
}
