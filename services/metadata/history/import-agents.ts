import type { AgentRecord } from '../../registry/agent-record.ts';
import {
  type RegisteredAgents,
  registerStagedAgents,
  rejectErased,
  stageAgents,
} from '../../registry/staged-agents.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { importHistory } from './import-history.ts';
import { lockHistory } from './lock-history.ts';

export interface ImportOptions {
  readonly organisationId: number;
  readonly records: readonly AgentRecord[];
  /** Start of the validity for agents that have a history; null: no start. */
  readonly validFromUtc: Date | null;
  /** The name of the file, recorded with the change. */
  readonly source: string;
}

export interface ImportResult extends RegisteredAgents {
  /** Agents whose history changed. */
  readonly historiesChanged: number;
}

/** Registers agents and sets their metadata in one transaction. Idempotent. */
export async function importAgents(
  database: Database,
  { organisationId, records, validFromUtc, source }: ImportOptions,
): Promise<ImportResult> {
  const result = await database.transaction(async (transaction) => {
    await lockHistory(transaction, organisationId);
    await rejectErased(transaction, organisationId, records);
    await stageAgents(transaction, records);
    const registered = await registerStagedAgents(transaction, organisationId);
    const request = { import: source, agents: records.length };
    const historiesChanged = await importHistory(transaction, {
      organisationId,
      validFromUtc,
      request,
    });
    return { ...registered, historiesChanged };
  });
  // Without new statistics, Postgres plans a change of all agents as a change of a few.
  await database.raw('analyze agents, agent_metadata');
  return result;
}
