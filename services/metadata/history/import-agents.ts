import type { AgentRecord } from '../../registry/agent-record.ts';
import { type CustomLimits, longFieldProblem } from '../../registry/custom-limits.ts';
import {
  type RegisteredAgents,
  registerStagedAgents,
  rejectErased,
  stageAgents,
} from '../../registry/staged-agents.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { checkCustom } from './check-custom.ts';
import { importHistory } from './import-history.ts';
import { lockHistory } from '../../registry/lock-history.ts';
import { rejectOverwrite } from './overwritten-history.ts';

export interface ImportOptions {
  readonly organisationId: number;
  readonly records: readonly AgentRecord[];
  /** Start of the validity for agents that have a history; null: no start. */
  readonly validFromUtc: Date | null;
  /** The name of the file, recorded with the change. */
  readonly source: string;
  readonly limits: CustomLimits;
  /**
   * The file describes the time from validFromUtc on, which is recorded with the change. Unless
   * `mayRewrite`, it must not replace what is recorded for that time or later: throws OverwrittenHistory.
   */
  readonly release?: { readonly mayRewrite: boolean };
}

export interface ImportResult extends RegisteredAgents {
  /** Agents whose history changed. */
  readonly historiesChanged: number;
}

/** Registers agents and sets their metadata in one transaction. Idempotent. */
export async function importAgents(
  database: Database,
  { organisationId, records, validFromUtc, source, limits, release }: ImportOptions,
): Promise<ImportResult> {
  rejectLongFields(records, limits);
  const result = await database.transaction(async (transaction) => {
    await lockHistory(transaction, organisationId);
    await rejectErased(transaction, organisationId, records);
    await stageAgents(transaction, records);
    const registered = await registerStagedAgents(transaction, organisationId);
    const from = release === undefined ? undefined : validFromUtc?.toISOString();
    const request = { import: source, agents: records.length, from };
    const imported = await importHistory(transaction, {
      organisationId,
      validFromUtc,
      request,
      customMaxBytes: limits.customMaxBytesPerAgent,
    });
    if (release?.mayRewrite === false && imported.changed > 0) {
      await rejectOverwrite(transaction, organisationId, validFromUtc);
    }
    const written = {
      organisationId,
      keys: [...new Set(records.flatMap(({ custom }) => Object.keys(custom)))],
      customBytes: imported.customBytes,
    };
    const problem = await checkCustom(transaction, written, limits);
    if (problem !== undefined) throw new Error(problem);
    return { ...registered, historiesChanged: imported.changed };
  });
  // Without new statistics, Postgres plans a change of all agents as a change of a few.
  await database.raw('analyze agents, agent_metadata');
  return result;
}

function rejectLongFields(records: readonly AgentRecord[], limits: CustomLimits): void {
  for (const { agentId, unitId, custom } of records) {
    for (const [key, value] of Object.entries(custom)) {
      const problem = longFieldProblem(key, value, limits);
      if (problem === undefined) continue;
      const name = agentId === null ? `unit ${unitId}` : `agent ${agentId}`;
      throw new Error(`${name}, custom.${key.slice(0, shownCharacters)}: ${problem}`);
    }
  }
}

const shownCharacters = 100;
