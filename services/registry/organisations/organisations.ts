import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { GrantKind } from './grants.ts';

/** The id of an organisation by its name. */
export async function findOrganisation(database: Database, name: string): Promise<number> {
  const id = await organisationNamed(database, name);
  if (id !== undefined) return id;
  throw new Error(`Unknown organisation "${name}". Run netpanel org list for the existing ones.`);
}

/** The same; undefined if it does not exist. */
export async function organisationNamed(
  database: Database,
  name: string,
): Promise<number | undefined> {
  const [id] = await database('organisations').where({ name }).pluck<number[]>('id');
  return id;
}

/** Adds the organisation if it does not exist, with every metric and test or with nothing. */
export async function ensureOrganisation(
  database: Database,
  name: string,
  access: 'all' | 'none',
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  if (!/^[a-z0-9][a-z0-9_-]{0,62}$/.test(name)) {
    throw new Error(
      `"${name}" is not a valid organisation name. Use lower-case letters, digits, - and _, at most 63.`,
    );
  }
  const hasAll = access === 'all';
  const added = await database('organisations')
    .insert({ name, all_metrics: hasAll, all_tests: hasAll })
    .onConflict('name')
    .ignore();
  const isNew = (added as unknown as { rowCount: number }).rowCount > 0;
  return { id: await findOrganisation(database, name), isNew };
}

/** The organisation's privacy floor: the least number of agents of a point. null: none. */
export async function floorOf(database: Database, name: string): Promise<number | null> {
  const id = await findOrganisation(database, name);
  const row = await database('organisations').where({ id }).first<{ min_agents: number | null }>();
  return row.min_agents;
}

export async function setFloor(
  database: Database,
  name: string,
  minAgents: number | null,
): Promise<void> {
  const id = await findOrganisation(database, name);
  await database('organisations').where({ id }).update({ min_agents: minAgents });
}

export interface ListedOrganisation {
  readonly name: string;
  readonly agents: number;
  readonly tokens: number;
  /** `all`, or the number of granted keys. */
  readonly metrics: string;
  readonly tests: string;
  /** The privacy floor; null: none. */
  readonly minAgents: number | null;
  readonly createdAt: Date;
}

export async function listOrganisations(database: Database): Promise<ListedOrganisation[]> {
  return database('organisations as o')
    .select<ListedOrganisation[]>(
      'o.name',
      database.raw('(select count(*) from agents where organisation_id = o.id) as agents'),
      database.raw('(select count(*) from api_tokens where organisation_id = o.id) as tokens'),
      database.raw(
        `case when o.all_metrics then 'all' else ${grantCount('metric')} end as metrics`,
      ),
      database.raw(`case when o.all_tests then 'all' else ${grantCount('test')} end as tests`),
      'o.min_agents as minAgents',
      'o.created_at as createdAt',
    )
    .orderBy('o.name');
}

function grantCount(kind: GrantKind): string {
  return `(select count(*)::text from grants where organisation_id = o.id and kind = '${kind}')`;
}
