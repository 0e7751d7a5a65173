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

export interface ImportOptions {
  readonly organisationId: number;
  readonly records: readonly AgentRecord[];
  /** Start of the validity for agents that have a history; null: no start. */
  readonly validFromUtc: Date | null;
  /** The name of the file, recorded with the change. */
  readonly source: string;
  readonly limits: CustomLimits;
  /**
   * The file describes its agents from validFromUtc until their next recorded change. Unless `mayRewrite`, it
   * must not replace other values that are recorded from the same time on: throws OverwrittenHistory.
   */
  readonly release?: { readonly mayRewrite: boolean };
}

export interface ImportResult extends RegisteredAgents {
  /** Agents whose values changed. */
  readonly historiesChanged: number;
  /** Fields that had a value and have none now. */
  readonly fieldsCleared: number;
}

/** A release would replace other values that are recorded from its own start on. Nothing was changed. */
export class OverwrittenHistory extends Error {
  override readonly name = 'OverwrittenHistory';
  readonly agents: number;

  constructor(agents: number) {
    super(`values of ${agents} agents would be overwritten`);
    this.agents = agents;
  }
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
      isRelease: release !== undefined,
      request,
      customMaxBytes: limits.customMaxBytesPerAgent,
    });
    if (release?.mayRewrite === false && imported.overwritten > 0) {
      throw new OverwrittenHistory(imported.overwritten);
    }
    const written = {
      organisationId,
      keys: [...new Set(records.flatMap(({ custom }) => givenFields(custom).map(([key]) => key)))],
      customBytes: imported.customBytes,
    };
    const problem = await checkCustom(transaction, written, limits);
    if (problem !== undefined) throw new Error(problem);
    return {
      ...registered,
      historiesChanged: imported.changed,
      fieldsCleared: imported.cleared,
    };
  });
  // Without new statistics, Postgres plans a change of all agents as a change of a few.
  await database.raw('analyze agents, agent_metadata');
  return result;
}

function rejectLongFields(records: readonly AgentRecord[], limits: CustomLimits): void {
  for (const { agentId, unitId, custom } of records) {
    for (const [key, value] of givenFields(custom)) {
      const problem = longFieldProblem(key, value, limits);
      if (problem === undefined) continue;
      const name = agentId === null ? `unit ${unitId}` : `agent ${agentId}`;
      throw new Error(`${name}, custom.${key.slice(0, shownCharacters)}: ${problem}`);
    }
  }
}

const shownCharacters = 100;

function givenFields(
  custom: AgentRecord['custom'],
): readonly (readonly [string, string | number])[] {
  return Object.entries(custom).flatMap(([key, value]) =>
    value === null ? [] : [[key, value] as const],
  );
}
