import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { lockHistory } from '../versions/lock-history.ts';
import { normaliseId } from './normalise-id.ts';

export interface StoredAgent {
  /** agent_key in ClickHouse. */
  readonly id: number;
  readonly agent_id: string;
  readonly agent_id_normalised: string;
  readonly unit_id: number | null;
  readonly base: string;
}

/** The agents of an organisation; with `only`, those with these units or normalised agent ids. */
export async function listAgents(
  database: Database,
  organisationId: number,
  only?: { readonly unitIds: readonly number[]; readonly agentIds: readonly string[] },
): Promise<StoredAgent[]> {
  const agents = database('agents')
    .where({ organisation_id: organisationId })
    .select<StoredAgent[]>('id', 'agent_id', 'agent_id_normalised', 'unit_id', 'base');
  if (only === undefined) return agents;
  return agents.whereRaw('(unit_id = any(?) or agent_id_normalised = any(?))', [
    [...only.unitIds],
    [...only.agentIds],
  ]);
}

export interface NewAgent {
  readonly agent_id: string;
  readonly unit_id: number | null;
}

/** Registers agents that neither exist yet nor were erased. Returns their number. */
export async function registerAgents(
  database: Database,
  organisationId: number,
  kind: 'whitebox' | 'mobile' | 'cell',
  agents: readonly NewAgent[],
): Promise<number> {
  return database.transaction(async (transaction) => {
    // The insert takes the lock for its metadata version. An import holds it when it adds the same agents:
    // without the lock now, each would wait for the other.
    await lockHistory(transaction, organisationId);
    const { rowCount } = await transaction.raw<{ rowCount: number }>(
      `insert into agents (organisation_id, agent_id, unit_id, kind)
       select :organisationId, agent_id, unit_id, :kind
       from json_to_recordset(:agents) as new (agent_id text, unit_id bigint, compared_id text)
       where erased_at(:organisationId, compared_id, unit_id::text) is null
       on conflict do nothing`,
      {
        organisationId,
        kind,
        agents: JSON.stringify(
          agents.map((agent) => ({ ...agent, compared_id: normaliseId(agent.agent_id) })),
        ),
      },
    );
    return rowCount;
  });
}
