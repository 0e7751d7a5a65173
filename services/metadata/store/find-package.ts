import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { FindPackage, PackageChoice } from '../request/metadata-change.ts';

/**
 * Resolves `<isp>:<package>` among the names of one organisation. Both may hold colons: of all ways
 * to split `A:B:C` the one that exists is meant, and if several do, the one with the shortest ISP.
 */
export function findPackageOf(database: Database, organisationId: number): FindPackage {
  return async (name) => {
    const { rows } = await database.raw<{ rows: Candidate[] }>(
      `select i.id as "ispId", p.id as "packageId",
              length(i.name) + 1 = length(named.text) as "isIspAlone"
       from (select cast(:name as text) as text) as named
         join isps i on i.organisation_id = :organisationId and starts_with(named.text, i.name || ':')
         left join packages p
           on p.isp_id = i.id and p.name = substr(named.text, length(i.name) + 2)
       order by length(i.name)`,
      { name, organisationId },
    );
    if (rows.length === 0) return 'no such isp';
    const found = rows.find(({ packageId, isIspAlone }) => packageId !== null || isIspAlone);
    if (found === undefined) return 'no such package';
    return { ispId: found.ispId, packageId: found.packageId };
  };
}

interface Candidate extends PackageChoice {
  /** `<isp>:` and nothing after it. */
  readonly isIspAlone: boolean;
}
