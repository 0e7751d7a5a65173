import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { RetentionRule } from './retention-rule.ts';

/** The last run of a rule. */
export interface RuleState {
  readonly rule: string;
  readonly finishedAt: Date | null;
  /** Rows removed by the last complete run. */
  readonly removed: number;
  readonly failure: string | null;
}

export async function retentionState(database: Database): Promise<readonly RuleState[]> {
  return database('retention_state').select<RuleState[]>('rule', 'removed', 'failure', {
    finishedAt: 'finished_at',
  });
}

/** Seconds since all of these rules were complete, or since the first attempt; 0 before it. */
export async function retentionAgeS(
  database: Database,
  ruleNames: readonly string[],
): Promise<number> {
  const { rows } = await database.raw<{ rows: [{ ageS: number }] }>(
    `select coalesce(extract(epoch from clock_timestamp() - min(coalesce(finished_at, created_at))),
                     0)::float8 as "ageS"
     from retention_state where rule = any(?)`,
    [[...ruleNames]],
  );
  return rows[0].ageS;
}

/** The rules that were not complete within these hours. */
export async function dueRules(
  database: Database,
  rules: readonly RetentionRule[],
  hours: number,
): Promise<readonly RetentionRule[]> {
  const complete = await database('retention_state')
    .whereNull('failure')
    .whereRaw("finished_at > now() - ? * interval '1 hour'", [hours])
    .pluck<string[]>('rule');
  return rules.filter(({ name }) => !complete.includes(name));
}
