import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { normaliseId } from './normalise-id.ts';

/** What identifies an agent. */
export interface AgentIdentifiers {
  readonly agentId: string | null;
  readonly unitId: string | number | null;
  readonly macAddress: string | null;
}

/** When each of these agents was erased, by its place in the list. Agents that were not are absent. */
export async function erasedAgents(
  database: Database,
  organisationId: number,
  agents: readonly AgentIdentifiers[],
): Promise<ReadonlyMap<number, Date>> {
  if (agents.length === 0) return new Map();
  const { rows } = await database.raw<{ rows: { place: number; erasedAt: Date }[] }>(
    `select place, erased as "erasedAt"
     from (
       select (row_number() over ())::integer - 1 as place,
              erased_at(:organisationId, variadic array(
                select jsonb_array_elements_text(identifiers))) as erased
       from jsonb_array_elements(cast(:agents as jsonb)) as given (identifiers)
     ) as found
     where erased is not null`,
    { organisationId, agents: JSON.stringify(agents.map(comparedForms)) },
  );
  return new Map(rows.map(({ place, erasedAt }) => [place, erasedAt]));
}

/** The identifiers of an agent in the form in which they are compared and hashed. */
export function comparedForms({ agentId, unitId, macAddress }: AgentIdentifiers): string[] {
  return [
    ...(agentId === null ? [] : [normaliseId(agentId)]),
    ...(unitId === null ? [] : [String(unitId)]),
    ...(macAddress === null ? [] : [normaliseId(macAddress)]),
  ];
}

/** The keys of the agents whose erasure is running or ended within the last day. */
export async function recentlyErasedAgents(
  database: Database,
  organisationId: number,
): Promise<ReadonlyMap<number, Date>> {
  const { rows } = await database.raw<{ rows: { key: number; erasedAt: Date }[] }>(
    `select unnest(agent_keys) as key, created_at as "erasedAt" from erasures
     where organisation_id = ? and (ended_at is null or ended_at > now() - interval '1 day')`,
    [organisationId],
  );
  return new Map(rows.map(({ key, erasedAt }) => [key, erasedAt]));
}

/** Why an agent is refused, for the user who sent it. */
export function wasErased(name: string, erasedAt: Date): string {
  return `${name} was erased on ${erasedAt.toISOString().slice(0, 10)}: netpanel agents allow lifts this`;
}

/** Lets an erased identifier be added again. False if it was not erased. */
export async function allowErasedId(
  database: Database,
  organisationId: number,
  identifier: string,
): Promise<boolean> {
  const { rowCount } = await database.raw<{ rowCount: number }>(
    `delete from erased_ids
     where organisation_id = :organisationId
       and hash = erased_id_hash(:organisationId, :identifier)`,
    { organisationId, identifier: normaliseId(identifier) },
  );
  return rowCount > 0;
}
