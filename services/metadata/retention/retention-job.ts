import type { Logger } from '../../shared/logging/create-logger.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { PeriodicJob } from './periodic-job.ts';
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

/**
 * Enforces the retention periods once a day. Every replica has this job; a lock lets one of them work. A run ends after
 * its current step when the job stops, and the next run continues.
 */
export function retentionJob(parts: Parts): PeriodicJob {
  return new PeriodicJob({
    run: (signal) => runIfDue(parts, signal),
    intervalMs: checkIntervalMs,
    failure: 'could not enforce retention',
    logger: parts.logger,
  });
}

async function runIfDue(
  { database, rules, metrics, logger }: Parts,
  signal: AbortSignal,
): Promise<void> {
  const names = rules.map(({ name }) => name);
  if (!(await isRetentionDue(database, names, runEveryHours))) return;
  const results = await runRetention({
    database,
    rules,
    actor: 'netpanel-metadata',
    now: new Date(),
    onRemoved: (rule, rows) => metrics.removed(rule.name, rows),
    signal,
  });
  if (results === undefined) {
    metrics.skipped();
    logger.info('retention skipped: another process holds its lock');
    return;
  }
  for (const result of results) report(logger, result);
}

function report(logger: Logger, { rule, before, removed, failure }: RuleResult): void {
  const details = { rule: rule.name, days: rule.days, before, removed };
  if (failure !== undefined) logger.error('retention failed', { ...details, failure });
  else if (removed > 0) logger.info('old data removed', details);
}
