import type { ClickHouseClient } from '@clickhouse/client';
import { type Granted, grantsOf } from '../../registry/organisations/grants.ts';
import { weightKeysOf } from '../../registry/weights/weight-keys.ts';
import { publicationCache } from './latest-publication.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import { readCache } from '../../shared/read-cache.ts';
import { organisationRows } from '../execution/organisation-rows.ts';

/** The keys an organisation may use. To it, all other keys do not exist. */
export interface OrganisationAccess {
  readonly metrics: Granted;
  readonly tests: Granted;
  /** Custom metadata keys of its agents, sorted. */
  readonly customKeys: readonly string[];
  /** Those that are weights of households. */
  readonly weightKeys: readonly string[];
}

const maxCachedOrganisations = 10_000;

/** `metadataVersion` is published: the custom keys are at least as new. */
export type AccessStore = (
  organisationId: number,
  metadataVersion: number,
) => Promise<OrganisationAccess>;

/** Reads and caches the access of organisations. */
export function accessStore(
  database: Database,
  clickhouse: ClickHouseClient,
  cacheMs: number,
): AccessStore {
  // Reading the keys is slow with a million agents, reading the latest publication is fast.
  const keysOfPublication = publicationCache<readonly string[]>(clickhouse, {
    max: maxCachedOrganisations,
  });
  // In lru-cache a ttl of 0 means "never expires".
  const options = { max: maxCachedOrganisations, ttl: Math.max(1, cacheMs) };
  const cached = readCache(options, async (organisationId: number): Promise<OrganisationAccess> => {
    const [{ grants, weightKeys }, customKeys] = await Promise.all([
      inOrganisation(database, organisationId, async (transaction) => ({
        grants: await grantsOf(transaction, organisationId),
        weightKeys: await weightKeysOf(transaction, organisationId),
      })),
      keysOfPublication(organisationId, '', () => readCustomKeys(clickhouse, organisationId)),
    ]);
    return { metrics: grants.metric, tests: grants.test, customKeys, weightKeys };
  });
  return (organisationId, metadataVersion) =>
    cached.forceFetch(`${organisationId}:${metadataVersion}`, { context: organisationId });
}

async function readCustomKeys(
  clickhouse: ClickHouseClient,
  organisationId: number,
): Promise<readonly string[]> {
  const rows = await organisationRows<{ key: string }>(
    clickhouse,
    organisationId,
    // custom.keys is a separate column: the values are not read.
    `SELECT DISTINCT arrayJoin(custom.keys) AS key
FROM agent_metadata_current
WHERE organisation_id = {organisation:UInt32}
ORDER BY key`,
  );
  return rows.map(({ key }) => key);
}
