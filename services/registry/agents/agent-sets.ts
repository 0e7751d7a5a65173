import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { UsageError } from '../../shared/errors/usage-error.ts';
import { isAgentId, normaliseId } from './normalise-id.ts';

export interface AgentSet {
  readonly name: string;
  readonly agents: number;
  readonly createdAt: Date;
}

export async function listAgentSets(
  database: Database,
  organisationId: number,
): Promise<AgentSet[]> {
  return database('agent_sets as s')
    .leftJoin('agent_set_members as m', 'm.set_id', 's.id')
    .where({ 's.organisation_id': organisationId })
    .groupBy('s.id')
    .orderBy('s.name')
    .select<AgentSet[]>('s.name', database.raw('count(m.agent_key)::integer as agents'), {
      createdAt: 's.created_at',
    });
}

export const setIdentifiers = ['agent', 'unit'] as const;
export type SetIdentifier = (typeof setIdentifiers)[number];

/** The same letters in two forms would be two sets. */
export function setName(text: string): string {
  const name = text.normalize('NFC');
  if (/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]{0,99}$/u.test(name)) return name;
  throw new UsageError(
    'The name of a set has 1 to 100 letters, digits, spaces, dots, underscores or hyphens, and starts with a letter or digit',
  );
}

/** An identifier in a file of agents. */
export interface SetId {
  readonly id: string;
  readonly line: number;
}

/** One id per line. Empty lines and lines that start with # are skipped. Throws with the first invalid line. */
export function parseSetIds(text: string, by: SetIdentifier, file: string): readonly SetId[] {
  const ids = text
    // A file of Windows may begin with a byte order mark.
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, i) => ({ id: line.trim(), line: i + 1 }))
    .filter(({ id }) => id !== '' && !id.startsWith('#'));
  const invalid = ids.find(({ id }) => !(by === 'unit' ? isUnitId(id) : isAgentId(id)));
  if (invalid !== undefined) {
    const { id, line } = invalid;
    const rule =
      by === 'unit'
        ? 'a unit id must be a whole number of at most 15 digits; for agent ids, send --by agent'
        : 'an agent id must have a letter or a digit';
    throw new Error(`${file}, line ${line}: ${JSON.stringify(id.slice(0, 100))}: ${rule}`);
  }
  if (ids.length === 0) throw new Error(`${file} has no ids: write one per line`);
  return ids;
}

function isUnitId(id: string): boolean {
  return /^\d{1,15}$/.test(id);
}

/** The agents with these identifiers, by their place in the list; others are absent. */
export async function agentKeysOf(
  database: Database,
  organisationId: number,
  by: SetIdentifier,
  ids: readonly string[],
): Promise<ReadonlyMap<number, number>> {
  const column = by === 'agent' ? 'agent_id_normalised' : 'unit_id::text';
  const { rows } = await database.raw<{ rows: { place: number; key: number }[] }>(
    `select given.place::integer - 1 as place, a.id as key
     from unnest(cast(:ids as text[])) with ordinality as given (id, place)
       join agents a on a.organisation_id = :organisationId and a.${column} = given.id`,
    { organisationId, ids: by === 'agent' ? ids.map(normaliseId) : ids.map(plainNumber) },
  );
  return new Map(rows.map(({ place, key }) => [place, key]));
}

/** `007` is unit 7. */
function plainNumber(id: string): string {
  return id.replace(/^0+(?=\d)/, '');
}

export interface SetChange {
  readonly added: number;
  readonly removed: number;
  readonly agents: number;
}

/** Adds agents to a set, which is created if it does not exist; with `replace`, removes all others. */
export async function changeAgentSet(
  database: Database,
  organisationId: number,
  name: string,
  agentKeys: readonly number[],
  { replace }: { readonly replace: boolean },
): Promise<SetChange> {
  return database.transaction(async (transaction) => {
    await transaction('agent_sets')
      .insert({ organisation_id: organisationId, name })
      .onConflict(['organisation_id', 'name'])
      .ignore();
    // Two changes of a set at the same time would each count what the other adds.
    const { id } = await transaction('agent_sets')
      .where({ organisation_id: organisationId, name })
      .forUpdate()
      .first<{ id: number }>('id');
    const keys = [...new Set(agentKeys)];
    const { rowCount: removed } = replace
      ? await transaction.raw<{ rowCount: number }>(
          'delete from agent_set_members where set_id = ? and not agent_key = any(cast(? as bigint[]))',
          [id, keys],
        )
      : { rowCount: 0 };
    const { rowCount: added } = await transaction.raw<{ rowCount: number }>(
      `insert into agent_set_members (organisation_id, set_id, agent_key)
       select ?, ?, unnest(cast(? as bigint[])) on conflict do nothing`,
      [organisationId, id, keys],
    );
    const [members] = await transaction('agent_set_members')
      .where({ set_id: id })
      .count<{ count: number }[]>('* as count');
    return { added, removed, agents: members?.count ?? 0 };
  });
}

/** False if the set does not exist. */
export async function removeAgentSet(
  database: Database,
  organisationId: number,
  name: string,
): Promise<boolean> {
  const removed = await database('agent_sets')
    .where({ organisation_id: organisationId, name })
    .delete();
  return removed > 0;
}

export interface SetMember {
  readonly agentId: string;
  readonly unitId: number | null;
}

/** Undefined if the set does not exist. */
export async function membersOf(
  database: Database,
  organisationId: number,
  name: string,
): Promise<SetMember[] | undefined> {
  const set = await database('agent_sets')
    .where({ organisation_id: organisationId, name })
    .first<{ id: number } | undefined>('id');
  if (set === undefined) return undefined;
  return database('agent_set_members as m')
    .join('agents as a', 'a.id', 'm.agent_key')
    .where({ 'm.set_id': set.id })
    .orderBy('a.agent_id')
    .select<SetMember[]>({ agentId: 'a.agent_id', unitId: 'a.unit_id' });
}

/** The keys of the agents of a set in ClickHouse, ascending; undefined if the set does not exist. */
export async function memberKeys(
  database: Database,
  organisationId: number,
  name: string,
): Promise<readonly number[] | undefined> {
  const { rows } = await database.raw<{ rows: { keys: number[] }[] }>(
    `select array(select agent_key from agent_set_members m where m.set_id = s.id order by 1) as keys
     from agent_sets s where organisation_id = ? and name = ?`,
    [organisationId, name],
  );
  return rows[0]?.keys.map(Number);
}
