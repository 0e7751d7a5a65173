import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';

/** An ISP, and one of its packages unless packageId is null. */
export interface PackageChoice {
  readonly ispId: number;
  readonly packageId: number | null;
}

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

/** Adds a package if the ISP does not have it yet. False if the ISP does not exist. */
export async function addPackage(
  database: Database,
  organisationId: number,
  isp: string,
  name: string,
): Promise<boolean> {
  const found = await database<{ id: number; organisation_id: number; name: string }>('isps')
    .where({ organisation_id: organisationId, name: isp })
    .first('id');
  if (found === undefined) return false;
  await database('packages')
    .insert({ isp_id: found.id, name })
    .onConflict(['isp_id', 'name'])
    .ignore();
  return true;
}

/** All packages of an organisation as `<isp>:<package>`. */
export async function listPackages(
  database: Database,
  organisationId: number,
): Promise<{ package: string }[]> {
  return database('packages as p')
    .join('isps as i', 'i.id', 'p.isp_id')
    .where({ 'i.organisation_id': organisationId })
    .orderBy(['i.name', 'p.name'])
    .select<{ package: string }[]>(database.raw("i.name || ':' || p.name as package"));
}

/**
 * Finds the package `<isp>:<package>` of an organisation. Both names may contain colons: `A:B:C` is
 * split so that the package exists; if there are several ways, the shortest ISP name wins.
 */
export async function findPackage(
  database: Database,
  organisationId: number,
  name: string,
): Promise<PackageChoice | 'unknown isp' | 'unknown package'> {
  const { rows } = await inOrganisation(database, organisationId, (transaction) =>
    transaction.raw<{ rows: Candidate[] }>(
      `select i.id as "ispId", p.id as "packageId",
            length(i.name) + 1 = length(named.text) as "isIspAlone"
     from (select cast(:name as text) as text) as named
       join isps i on i.organisation_id = :organisationId and starts_with(named.text, i.name || ':')
       left join packages p
         on p.isp_id = i.id and p.name = substr(named.text, length(i.name) + 2)
     order by length(i.name)`,
      { name, organisationId },
    ),
  );
  if (rows.length === 0) return 'unknown isp';
  const found = rows.find(({ packageId, isIspAlone }) => packageId !== null || isIspAlone);
  if (found === undefined) return 'unknown package';
  return { ispId: found.ispId, packageId: found.packageId };
}

interface Candidate extends PackageChoice {
  /** The name is `<isp>:` without a package. */
  readonly isIspAlone: boolean;
}
