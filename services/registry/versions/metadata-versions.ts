import { setTimeout as sleep } from 'node:timers/promises';
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

const pollMs = 100;

/** Waits until queries use all changes of an organisation up to now. Returns earlier when the time is over. */
export async function awaitPublication(
  database: Database,
  organisationId: number,
  timeoutMs: number,
  onPoll: (versions: MetadataVersions, waitedMs: number) => void,
): Promise<MetadataVersions & { readonly waitedMs: number }> {
  const { current, ...first } = await readMetadataVersions(database, organisationId);
  let { published } = first;
  if (published >= current) return { current, published, waitedMs: 0 };
  const startedMs = performance.now();
  for (;;) {
    const waitedMs = performance.now() - startedMs;
    if (published >= current || waitedMs >= timeoutMs) return { current, published, waitedMs };
    onPoll({ current, published }, waitedMs);
    await sleep(pollMs);
    ({ published } = await readMetadataVersions(database, organisationId));
  }
}

/** Whether a metadata service, which publishes, has a connection to Postgres. It queries all the time. */
export async function isPublisherConnected(database: Database): Promise<boolean> {
  const { rows } = await database.raw<{ rows: [{ found: boolean }] }>(
    `select exists (
       select from pg_stat_activity
       where datname = current_database() and application_name like 'netpanel-metadata-%'
     ) as found`,
  );
  return rows[0].found;
}

/** Selects the current version as `version`; no row if there were no changes. */
export function metadataVersionStatement(organisationId: number): BoundStatement {
  return {
    name: 'metadata version',
    sql: 'select version from metadata_versions where organisation_id = :organisationId',
    bindings: { organisationId },
  };
}
