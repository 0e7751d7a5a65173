import { recordAuditEvents } from '../../registry/audit/audit-events.ts';
import { doDue, lockClaim } from '../../shared/jobs/durable-job.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { removedBefore, type RetentionRule } from './retention-rule.ts';

export interface RetentionRun {
  readonly database: Database;
  readonly rules: readonly RetentionRule[];
  /** `netpanel-metadata` or the operator, for the audit. */
  readonly actor: string;
  readonly now: Date;
  readonly onRemoved?: (rule: RetentionRule, rows: number) => void;
  /** Ends the run after the current step. */
  readonly signal?: AbortSignal;
}

export interface RuleResult {
  readonly rule: RetentionRule;
  /** undefined: kept for ever. */
  readonly before: Date | undefined;
  readonly removed: number;
  readonly failure?: string;
}

/**
 * Removes everything that is older than its retention period, in small steps. A run that was interrupted
 * is continued by the next one. A rule that fails does not stop the others. Returns undefined if
 * another process is running.
 */
export async function runRetention(run: RetentionRun): Promise<readonly RuleResult[] | undefined> {
  const busy: RetentionRule[] = [];
  const rules = {
    due: () => Promise.resolve(run.rules),
    claim: lockClaim(run.database, lockTable.retention),
    run: (rule: RetentionRule) => applyRule(run, rule),
    onBusy: (rule: RetentionRule) => busy.push(rule),
  };
  const results = await doDue(rules, run.signal);
  return busy.length > 0 && results.length === 0 ? undefined : results;
}

async function applyRule(run: RetentionRun, rule: RetentionRule): Promise<RuleResult> {
  const { database, signal } = run;
  const before = removedBefore(rule, run.now);
  const progress = { removed: 0 };
  const record = (state: object) =>
    database('retention_state')
      .insert({ rule: rule.name, ...state })
      .onConflict('rule')
      .merge(Object.keys(state));
  try {
    if (before !== undefined) await removeOld(run, rule, before, progress);
    if (signal?.aborted !== true) {
      await record({ ...progress, finished_at: database.fn.now(), failure: null });
    }
    return { rule, before, removed: progress.removed };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    await record({ failure });
    return { rule, before, removed: progress.removed, failure };
  } finally {
    if (progress.removed > 0) {
      const event = {
        occurredAt: new Date(),
        organisationId: null,
        actor: run.actor,
        action: 'retention.remove',
        target: rule.name,
        details: { rows: progress.removed, days: rule.days, before },
        outcome: 'OK',
      };
      await recordAuditEvents(database, [event]);
    }
  }
}

async function removeOld(
  { onRemoved, signal }: RetentionRun,
  rule: RetentionRule,
  before: Date,
  progress: { removed: number },
): Promise<void> {
  for await (const rows of rule.remove(before)) {
    progress.removed += rows;
    onRemoved?.(rule, rows);
    if (signal?.aborted) return;
  }
}
