import { normaliseId } from '../../registry/agents/normalise-id.ts';
import { isPlain, plainId } from '../../registry/agents/plain-id.ts';
import type { AgentLookup } from '../request/parse-agent-lookup.ts';

/** Lookups of the same kind differ only in their values. */
export type LookupKind = AgentLookup['column'] | 'plain agent_id' | 'plain mac_address';

export function lookupKind({ column, value }: AgentLookup): LookupKind {
  return column === 'unit_id' || !isPlain(value) ? column : `plain ${column}`;
}

/** The values of a lookup as JSON: an element of the binding :lookups. */
export function lookupValues({ column, value }: AgentLookup): string {
  if (column === 'unit_id') return JSON.stringify({ unit_id: value });
  return JSON.stringify({ normalised: normaliseId(value), plain: plainId(value) });
}

/**
 * The expression `wanted` of a WITH clause: for each of the lookups of a kind its position, from 1, and the
 * agent_key; null: the organisation does not have the agent. Bindings: :lookups and :organisationId.
 */
export function wantedAgents(kind: LookupKind): string {
  return `wanted as materialized (
       select position, ${agentKey(kind)} as agent_key
       from rows from (
         jsonb_to_recordset(cast(:lookups as jsonb)) as (unit_id bigint, normalised text, plain text)
       ) with ordinality as lookup (unit_id, normalised, plain, position)
     )`;
}

/** Whether an agent `a` is the one of a lookup. Needs the binding :organisationId too. */
export function lookupCondition(lookup: AgentLookup) {
  return {
    sql: `a.id = (with ${wantedAgents(lookupKind(lookup))} select agent_key from wanted)`,
    bindings: { lookups: `[${lookupValues(lookup)}]` },
  };
}

function agentKey(kind: LookupKind): string {
  if (kind === 'unit_id') return keyWhere('unit_id = lookup.unit_id');
  if (kind === 'agent_id' || kind === 'mac_address') {
    return keyWhere(`${kind}_normalised = lookup.normalised`);
  }
  const column = kind === 'plain agent_id' ? 'agent_id' : 'mac_address';
  // Clients may leave out the punctuation of an id; then it must be the only id with this plain form.
  return `coalesce(
         ${keyWhere(`${column}_normalised = lookup.normalised`)},
         (select min(id) from agents
          where organisation_id = :organisationId and ${column}_plain = lookup.plain
          having count(*) = 1))`;
}

/** One row at most: these columns are unique in an organisation. */
function keyWhere(condition: string): string {
  return `(select id from agents where organisation_id = :organisationId and ${condition})`;
}
