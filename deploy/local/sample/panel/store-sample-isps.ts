import type { Knex } from 'knex';
import type { SampleOrganisation } from './sample-households.ts';
import { sampleIsps, type SampleIsp } from './sample-packages.ts';

/** Finds the ids of an organisation's ISPs and packages by name. */
export interface PackageIds {
  ispId(isp: string): number;
  packageId(isp: string, packageName: string): number;
}

/** Adds the sample ISPs and packages to the organisation, if missing. */
export async function storeSampleIsps(
  transaction: Knex.Transaction,
  organisationId: number,
  organisation: SampleOrganisation,
): Promise<PackageIds> {
  const isps = ispsOf[organisation];
  await transaction('isps')
    .insert(isps.map(({ name }) => ({ organisation_id: organisationId, name })))
    .onConflict(['organisation_id', 'name'])
    .ignore();
  const ispIds = await transaction<{ id: number; name: string; organisation_id: number }>('isps')
    .where({ organisation_id: organisationId })
    .select('id', 'name');
  const ispIdByName = new Map(ispIds.map(({ id, name }) => [name, id]));
  const ispId = (isp: string) => found(ispIdByName.get(isp), isp);

  await transaction('packages')
    .insert(
      isps.flatMap(({ name: isp, packages }) =>
        Object.keys(packages).map((name) => ({ isp_id: ispId(isp), name })),
      ),
    )
    .onConflict(['isp_id', 'name'])
    .ignore();
  const packageIds = await transaction<{ id: number; isp_id: number; name: string }>('packages')
    .whereIn('isp_id', [...ispIdByName.values()])
    .select('id', 'isp_id', 'name');
  const packageIdByName = new Map(packageIds.map((row) => [`${row.isp_id}:${row.name}`, row.id]));
  return {
    ispId,
    packageId: (isp, packageName) =>
      found(packageIdByName.get(`${ispId(isp)}:${packageName}`), `${isp}:${packageName}`),
  };
}

const { otherline, northwave, breeze, ...demoOnly } = sampleIsps;

// Northwave and Breeze Mobile are in both, so that a name alone does not identify an organisation.
const ispsOf: Readonly<Record<SampleOrganisation, readonly SampleIsp[]>> = {
  demo: [northwave, breeze, ...Object.values(demoOnly)],
  other: [northwave, breeze, otherline],
};

function found(id: number | undefined, name: string): number {
  if (id === undefined) throw new Error(`${name} is not in Postgres after its INSERT`);
  return id;
}
