import type { Database } from '../shared/postgres/connect-postgres.ts';

/** Adds an ISP if the organisation does not have it yet. */
export async function addIsp(
  database: Database,
  organisationId: number,
  name: string,
): Promise<void> {
  await database('isps')
    .insert({ organisation_id: organisationId, name })
    .onConflict(['organisation_id', 'name'])
    .ignore();
}

export interface ListedIsp {
  readonly isp: string;
  /** Number of packages. */
  readonly packages: number;
}

export async function listIsps(database: Database, organisationId: number): Promise<ListedIsp[]> {
  return database('isps')
    .where({ organisation_id: organisationId })
    .orderBy('name')
    .select<ListedIsp[]>(
      { isp: 'name' },
      database.raw('(select count(*) from packages where isp_id = isps.id) as packages'),
    );
}
