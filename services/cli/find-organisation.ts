import type { Database } from '../shared/postgres/connect-postgres.ts';

/** The id of an organisation by its name. */
export async function findOrganisation(database: Database, name: string): Promise<number> {
  const row = await database<{ id: number; name: string }>('organisations')
    .where({ name })
    .first('id');
  if (row !== undefined) return row.id;
  throw new Error(`There is no organisation "${name}": netpanel org list shows them`);
}

/** Makes the organisation if it is new. */
export async function ensureOrganisation(
  database: Database,
  name: string,
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  if (!/^[a-z0-9][a-z0-9_-]{0,62}$/.test(name)) {
    throw new Error(
      `"${name}" is no name for an organisation: small letters, digits, - and _, 63 at most`,
    );
  }
  const added = await database('organisations').insert({ name }).onConflict('name').ignore();
  const isNew = (added as unknown as { rowCount: number }).rowCount > 0;
  return { id: await findOrganisation(database, name), isNew };
}
