import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { RetentionMetrics } from './retention-metrics.ts';
import type { RetentionRule } from './retention-rule.ts';
import { isRetentionDue } from './retention-state.ts';
import { type RuleResult, runRetention } from './run-retention.ts';

/** How often a rule must be complete. */
const runEveryHours = 24;
/** How often it is checked, and a failed run repeated. */
const checkIntervalMs = 3_600_000;

interface Parts {
  readonly database: Database;
  readonly rules: readonly RetentionRule[];
  readonly metrics: RetentionMetrics;
  readonly logger: Logger;
}

/** Enforces the retention periods once a day. Every replica has this job; a lock lets one of them work. */
export class RetentionJob {
  readonly #parts: Parts;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Waits for the current step. The next run continues. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#runIfDue().catch((error: unknown) => {
        this.#parts.logger.warn('could not enforce retention; will retry', {
          error: String(error),
        });
      });
      await sleep(checkIntervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #runIfDue(): Promise<void> {
    const { database, rules, metrics } = this.#parts;
    const names = rules.map(({ name }) => name);
    if (!(await isRetentionDue(database, names, runEveryHours))) return;
    const results = await runRetention({
      database,
      rules,
      actor: 'netpanel-metadata',
      now: new Date(),
      onRemoved: (rule, rows) => metrics.removed(rule.name, rows),
      signal: this.#stop.signal,
    });
    for (const result of results ?? []) this.#report(result);
  }

  #report({ rule, before, removed, failure }: RuleResult): void {
    const { logger } = this.#parts;
    const details = { rule: rule.name, days: rule.days, before, removed };
    if (failure !== undefined) logger.error('retention failed', { ...details, failure });
    else if (removed > 0) logger.info('old data removed', details);
  }
}
