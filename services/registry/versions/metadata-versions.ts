import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { BoundStatement } from '../../shared/postgres/read-in-organisation.ts';

/** Versions of the metadata of an organisation. Every change increments the current one. */
export interface MetadataVersions {
  readonly current: number;
  /** Queries see at least this version. */
  readonly published: number;
}

/** The versions of an organisation without changes. */
const noChanges: MetadataVersions = { current: 0, published: 0 };

export async function readMetadataVersions(
  database: Database,
  organisationId: number,
): Promise<MetadataVersions> {
  const versions = await readAllMetadataVersions(database, [organisationId]);
  return versions.get(organisationId) ?? noChanges;
}

/** Has every given organisation. */
export async function readAllMetadataVersions(
  database: Database,
  organisationIds: readonly number[],
): Promise<ReadonlyMap<number, MetadataVersions>> {
  const { rows } = await database
    .raw<{ rows: (MetadataVersions & { organisationId: number })[] }>(
      `select v.organisation_id as "organisationId", v.version as current,
            coalesce(waiting.version - 1, v.version) as published
     from metadata_versions v
       left join lateral (
         select min(o.version) as version from snapshot_outbox o
         where o.organisation_id = v.organisation_id
       ) as waiting on true
     where v.organisation_id = any(?)`,
      [[...organisationIds]],
    )
    // A named statement is planned once per connection: planning takes longer than running it.
    .options({ name: 'metadata versions' });
  const found = new Map(rows.map(({ organisationId, ...versions }) => [organisationId, versions]));
  return new Map(organisationIds.map((id) => [id, found.get(id) ?? noChanges]));
}

/** Selects the current version as `version`; no row if there were no changes. */
export function metadataVersionStatement(organisationId: number): BoundStatement {
  return {
    name: 'metadata version',
    sql: 'select version from metadata_versions where organisation_id = :organisationId',
    bindings: { organisationId },
  };
}
