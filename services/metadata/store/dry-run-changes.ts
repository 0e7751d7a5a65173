import type { Knex } from 'knex';
import {
  type ChangedPeriods,
  changedPeriods,
  type ChangedRow,
  periodsOf,
  rowsBy,
} from './changed-periods.ts';

export interface DryRunChange extends ChangedPeriods {
  readonly agentId: string;
}

/** The change and the first of its agents: those that a response lists. */
export interface ChangeToShow {
  readonly changeId: number;
  readonly agentKeys: readonly number[];
}

/** What a change that is going to be rolled back does to some of its agents. */
export async function dryRunChanges(
  transaction: Knex.Transaction,
  { changeId, agentKeys }: ChangeToShow,
): Promise<readonly DryRunChange[]> {
  const { rows } = await transaction.raw<{ rows: ChangedRow[] }>(statement, {
    changeId,
    agentKeys: [...agentKeys],
  });
  return [...rowsBy('agentId', rows)].map(([agentId, ofAgent]) => ({
    agentId,
    ...periodsOf(ofAgent),
  }));
}

const statement = changedPeriods(`
  select id, recorded_at, null::json as author, cast(:agentKeys as bigint[]) as agent_keys
  from metadata_changes where id = :changeId`);
