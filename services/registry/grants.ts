import type { Database } from '../shared/postgres/connect-postgres.ts';

/** An organisation without grants of a kind sees everything of that kind. */
export type GrantKind = 'metric' | 'test';

interface Grant {
  readonly organisation_id: number;
  readonly kind: GrantKind;
  readonly key: string;
}

export async function grantKeys(
  database: Database,
  organisationId: number,
  kind: GrantKind,
  keys: readonly string[],
): Promise<void> {
  await database<Grant>('grants')
    .insert(keys.map((key) => ({ organisation_id: organisationId, kind, key })))
    .onConflict(['organisation_id', 'kind', 'key'])
    .ignore();
}

export async function revokeKeys(
  database: Database,
  organisationId: number,
  kind: GrantKind,
  keys: readonly string[],
): Promise<void> {
  await database<Grant>('grants')
    .where({ organisation_id: organisationId, kind })
    .whereIn('key', keys)
    .delete();
}

/** The keys of each kind that an organisation may use, sorted. */
export async function grantedKeys(
  database: Database,
  organisationId: number,
): Promise<Readonly<Record<GrantKind, 'all' | readonly string[]>>> {
  const grants = await database<Grant>('grants')
    .where({ organisation_id: organisationId })
    .orderBy('key')
    .select('kind', 'key');
  const granted = (kind: GrantKind) => {
    const keys = grants.filter((grant) => grant.kind === kind).map(({ key }) => key);
    return keys.length === 0 ? 'all' : keys;
  };
  return { metric: granted('metric'), test: granted('test') };
}
