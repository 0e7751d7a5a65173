import type { Logger } from '../../shared/logging/create-logger.ts';
import { metricsOf } from '../../shared/metrics.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { postgresNow } from '../../shared/postgres/postgres-clock.ts';
import { PeriodicJob } from '../../shared/jobs/periodic-job.ts';
import type { ServiceTools } from '../../shared/run-service.ts';
import type { RetentionRule } from './retention-rule.ts';
import { dueRules, retentionAgeS } from './retention-state.ts';
import { type RuleResult, runRetention } from './run-retention.ts';

/** How often a rule must be complete. */
const runEveryHours = 24;
/** How often it is checked, and a failed run repeated. */
const checkIntervalMs = 3_600_000;

/**
 * Enforces the retention periods once a day, one rule at a time over all replicas. A run ends after its current step
 * when the job stops, and the next run continues.
 */
export function retentionJob(
  database: Database,
  rules: readonly RetentionRule[],
  { logger, registry }: ServiceTools,
): PeriodicJob {
  const { counter, measured } = metricsOf(registry);
  const names = rules.map(({ name }) => name);
  measured(
    'netpanel_retention_age_seconds',
    'Time since all retention rules were complete; NaN if Postgres is unavailable.',
    () => retentionAgeS(database, names),
  );
  const removed = counter(
    'netpanel_retention_removed_rows_total',
    'Rows removed because they are older than their retention period, by rule.',
    'rule',
  );
  const skipped = counter(
    'netpanel_retention_skipped_total',
    'Runs of retention that were due and skipped because another process held its lock.',
  );
  const run = async (signal: AbortSignal) => {
    const results = await runRetention({
      database,
      rules: await dueRules(database, rules, runEveryHours),
      actor: 'netpanel-metadata',
      // A service whose clock is ahead would remove data too early.
      now: await postgresNow(database),
      onRemoved: (rule, rows) => removed.inc({ rule: rule.name }, rows),
      signal,
    });
    if (results === undefined) {
      skipped.inc();
      logger.info('retention skipped: another process holds its lock');
      return;
    }
    for (const result of results) report(logger, result);
  };
  return new PeriodicJob({
    run,
    intervalMs: checkIntervalMs,
    failure: 'could not enforce retention',
    logger,
  });
}

function report(logger: Logger, { rule, before, removed, failure }: RuleResult): void {
  const details = { rule: rule.name, days: rule.days, before, removed };
  if (failure !== undefined) logger.error('retention failed', { ...details, failure });
  else if (removed > 0) logger.info('old data removed', details);
}
