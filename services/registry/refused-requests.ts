import type { NextFunction, Request, Response } from 'express';
import { type AuditEvent, recordAuditEvents } from './audit-events.ts';
import { AttemptCounter, type CountedAttempts } from '../shared/audit/attempt-counter.ts';
import { codeOfStatus } from '../shared/errors/code-of-status.ts';
import { knownCallerOf } from '../shared/http/request-context.ts';
import { routePattern } from '../shared/http/request-metrics.ts';
import type { Logger } from '../shared/logging/create-logger.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';

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
export class RefusedRequests {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #attempts = new AttemptCounter<Attempt>(others);
  #waiting: AuditEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  start(): void {
    this.#timer = setInterval(() => this.#flush(Date.now()), flushIntervalMs);
    this.#timer.unref();
  }

  /** Must come before authentication, whose refusals are recorded too. */
  readonly count = (req: Request, res: Response, next: NextFunction): void => {
    res.on('close', () => {
      if (res.statusCode < 400) return;
      const caller = knownCallerOf(res);
      this.#attempts.add({
        organisationId: caller?.organisationId ?? null,
        actor: caller === undefined ? `address ${req.ip}` : `token ${caller.tokenId}`,
        route: `${req.method} ${routePattern(req)}`,
        status: res.statusCode,
      });
    });
    next();
  };

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#flush(Infinity);
    await this.#flushing;
  }

  #flush(nowMs: number): void {
    this.#waiting.push(...this.#attempts.takeEnded(nowMs).map(toEvent));
    this.#waiting.splice(0, this.#waiting.length - maxWaiting);
    this.#flushing = this.#flushing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    const events = this.#waiting;
    if (events.length === 0) return;
    this.#waiting = [];
    try {
      await recordAuditEvents(this.#database, events);
    } catch (error) {
      this.#waiting.unshift(...events);
      this.#logger.warn('could not write audit events; will retry', { error: String(error) });
    }
  }
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
