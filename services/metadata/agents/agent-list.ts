import { plainId } from '../../registry/agents/plain-id.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { AgentLookup } from '../request/parse-agent-lookup.ts';
import type { AgentsPage } from '../request/parse-page.ts';
import { namesOfIds } from './agent-metadata.ts';
import { lookupCondition } from './wanted-agents.ts';

/** An agent with its identifiers and current metadata. Without custom fields, which may be large. */
interface ListedAgent {
  readonly agentId: string;
  /** Digits: a number above 2^53 would be that of another unit. */
  readonly unitId: string | null;
  readonly macAddress: string | null;
  readonly kind: string;
  readonly package: string | null;
  readonly isp: string | null;
  readonly timezone: string | null;
}

/** Agents in the order of their ids. */
export async function listAgents(
  database: Database,
  organisationId: number,
  { search, after, limit }: AgentsPage,
) {
  const { rows } = await database.raw<{ rows: ListedAgent[] }>(
    `${agentsNow}
     where a.organisation_id = :organisationId
       and (cast(:after as text) is null or a.agent_id > cast(:after as text))
       ${search === undefined ? '' : `and (${searched})`}
     order by a.agent_id limit :limit + 1`,
    {
      organisationId,
      after: after ?? null,
      limit,
      ...(search === undefined ? {} : { search: search.toLowerCase(), plain: plainId(search) }),
    },
  );
  return { agents: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** Undefined if the organisation does not have the agent. */
export async function findAgent(
  database: Database,
  organisationId: number,
  lookup: AgentLookup,
): Promise<ListedAgent | undefined> {
  const condition = lookupCondition(lookup);
  const { rows } = await database.raw<{ rows: ListedAgent[] }>(
    `${agentsNow} where a.organisation_id = :organisationId and ${condition.sql}`,
    { ...condition.bindings, organisationId },
  );
  return rows[0];
}

const agentsNow = `
  select a.agent_id as "agentId", cast(a.unit_id as text) as "unitId",
         a.mac_address as "macAddress", a.kind, i.name || ':' || p.name as package, i.name as isp,
         m.timezone
  from agents a
    left join agent_metadata m on m.agent_key = a.id and m.superseded_at is null
      and m.valid @> now()
    ${namesOfIds}`;

// strpos: in LIKE, % and _ of the text would be wildcards.
const searched = `
  strpos(lower(a.agent_id), :search) > 0
  or (:plain <> '' and (strpos(a.agent_id_plain, :plain) > 0 or strpos(a.mac_address_plain, :plain) > 0))
  or starts_with(cast(a.unit_id as text), :search)
  or strpos(lower(i.name || ':' || coalesce(p.name, '')), :search) > 0`;
