import { LRUCache } from 'lru-cache';
import { BatchedLookup } from '../../shared/batched-lookup.ts';
import type { AgentIds, FoundAgent } from '../../results/agents/agent-directory.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { readInOrganisation } from '../../shared/postgres/read-in-organisation.ts';

/**
 * Finds the agents of requests in Postgres. Nothing is cached, so that results of an agent whose erasure has been
 * requested are refused at once. Concurrent requests of an organisation share a query.
 */
export class AgentFinder {
  readonly #database: Database;
  readonly #lookups = new LRUCache<number, BatchedLookup<FoundAgent>>({ max: maxOrganisations });

  constructor(database: Database) {
    this.#database = database;
  }

  async find(organisationId: number, ids: AgentIds): Promise<readonly FoundAgent[]> {
    const { unitIds, agentIds } = ids;
    if (unitIds.length + agentIds.length > maxSharedIds) {
      return findAgents(this.#database, organisationId, ids);
    }
    const lookup = this.#lookupOf(organisationId);
    const found = await Promise.all([
      ...unitIds.map((unitId) => lookup.find(`${unitPrefix}${unitId}`)),
      ...agentIds.map((agentId) => lookup.find(`${agentPrefix}${agentId}`)),
    ]);
    return found.filter((agent) => agent !== undefined);
  }

  #lookupOf(organisationId: number): BatchedLookup<FoundAgent> {
    const known = this.#lookups.get(organisationId);
    if (known !== undefined) return known;
    const find = (keys: readonly string[]) => this.#findKeys(organisationId, keys);
    const lookup = new BatchedLookup(queriesPerOrganisation, find, { isFresh: true });
    this.#lookups.set(organisationId, lookup);
    return lookup;
  }

  async #findKeys(
    organisationId: number,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, FoundAgent>> {
    const withPrefix = (prefix: string) =>
      keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    const agents = await findAgents(this.#database, organisationId, {
      unitIds: withPrefix(unitPrefix).map(Number),
      agentIds: withPrefix(agentPrefix),
    });
    return new Map(
      agents.flatMap((agent) => [
        [`${unitPrefix}${agent.unit_id}`, agent],
        [`${agentPrefix}${agent.agent_id_normalised}`, agent],
      ]),
    );
  }
}

const unitPrefix = 'unit ';
const agentPrefix = 'agent ';
const queriesPerOrganisation = 2;
const maxOrganisations = 1_000;
/** The keys of one query of BatchedLookup. */
const maxSharedIds = 500;

/** Without agents that are being erased. An agent exists from its registration or its first metadata on. */
async function findAgents(
  database: Database,
  organisationId: number,
  { unitIds, agentIds }: AgentIds,
): Promise<readonly FoundAgent[]> {
  const [agents] = await readInOrganisation<[FoundAgent]>(database, organisationId, [
    {
      name: 'agents of results',
      sql: `select a.id, a.agent_id, a.agent_id_normalised, a.unit_id, a.base,
              floor(extract(epoch from least(a.created_at, (
                select min(coalesce(lower(m.valid), '-infinity')) from agent_metadata m
                where m.agent_key = a.id and m.superseded_at is null
              ))))::float8 as "existsFromS"
       from agents a
       where a.organisation_id = :organisationId
         and (a.unit_id = any(array(
             select cast(w.id as bigint) from jsonb_array_elements_text(cast(:unitIds as jsonb)) w(id)))
           or a.agent_id_normalised = any(array(
             select w.id from jsonb_array_elements_text(cast(:agentIds as jsonb)) w(id))))
         and not exists (
           select from erasures e
           where e.organisation_id = :organisationId and e.ended_at is null
             and a.id = any(e.agent_keys))`,
      bindings: {
        organisationId,
        unitIds: JSON.stringify(unitIds),
        agentIds: JSON.stringify(agentIds),
      },
    },
  ]);
  return agents;
}
