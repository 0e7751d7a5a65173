import { agentColumns } from '../../registry/agents/agent-record.ts';
import { csvText } from '../../results/csv.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';

/** The agents of an organisation with their current metadata, as a CSV file that can be imported. */
export async function* exportAgents(
  database: Database,
  organisationId: number,
): AsyncGenerator<string> {
  const keys = await currentCustomKeys(database, organisationId);
  yield csvText([[...agentColumns, ...keys.map((key) => `custom.${key}`)]]);
  for await (const agents of agentsWithMetadata(database, organisationId)) {
    yield csvText(
      agents.map((agent) => [
        ...agentColumns.map((column) => agent[column] as string | number | null),
        ...keys.map((key) => agent.custom?.[key] ?? null),
      ]),
    );
  }
}

interface AgentWithMetadata {
  readonly agent_key: string | number;
  readonly agent_id: string;
  readonly custom: Readonly<Record<string, string | number>> | null;
  readonly [column: string]: unknown;
}

/** Limits memory use: an agent may have 64 KiB of custom metadata. */
const agentsPerBatch = 500;

/** In batches, by agent key. */
async function* agentsWithMetadata(
  database: Database,
  organisationId: number,
): AsyncGenerator<readonly AgentWithMetadata[]> {
  for (let afterKey = 0; ;) {
    const agents = await agentsAfter(database, organisationId, afterKey);
    if (agents.length === 0) return;
    afterKey = Number(agents.at(-1)?.agent_key);
    yield agents;
  }
}

/** The custom keys that the agents of an organisation have now, sorted. */
async function currentCustomKeys(
  database: Database,
  organisationId: number,
): Promise<readonly string[]> {
  const { rows } = await database.raw<{ rows: { key: string }[] }>(
    `select distinct jsonb_object_keys(custom) as key from agent_metadata
     where organisation_id = ? and superseded_at is null and valid @> now() order by 1`,
    [organisationId],
  );
  return rows.map(({ key }) => key);
}

async function agentsAfter(
  database: Database,
  organisationId: number,
  afterKey: number,
): Promise<readonly AgentWithMetadata[]> {
  const { rows } = await database.raw<{ rows: AgentWithMetadata[] }>(
    `select a.id as agent_key, a.agent_id, a.unit_id, a.mac_address, a.kind, a.base, a.country,
       s.name as isp, s.name || ':' || p.name as package, m.timezone, m.custom
     from agents a
       left join agent_metadata m
         on m.agent_key = a.id and m.superseded_at is null and m.valid @> now()
       left join isps s on s.id = m.isp_id
       left join packages p on p.id = m.package_id
     where a.organisation_id = ? and a.id > ?
     order by a.id limit ?`,
    [organisationId, afterKey, agentsPerBatch],
  );
  return rows;
}
