import type { ClickHouseClient } from '@clickhouse/client';
import { LRUCache } from 'lru-cache';
import { type Granted, grantsOf } from '../../registry/grants.ts';
import { latestPublication } from './latest-publication.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import { organisationSettings } from '../execution/organisation-settings.ts';

/** The keys an organisation may use. To it, all other keys do not exist. */
export interface OrganisationAccess {
  readonly metrics: Granted;
  readonly tests: Granted;
  /** Custom metadata keys of its agents, sorted. */
  readonly customKeys: readonly string[];
}

interface CachedAccess {
  readonly access: OrganisationAccess;
  /** The custom keys are those of this version or a later one. */
  readonly metadataVersion: number;
}

const maxCachedOrganisations = 10_000;

/** Reads and caches the access of organisations. */
export class AccessStore {
  readonly #clickhouse: ClickHouseClient;
  readonly #access: LRUCache<number, CachedAccess, number>;
  // A complete snapshot never changes, so its keys are read once: reading them is slow with a million
  // agents, reading the latest version is fast.
  readonly #customKeys: LRUCache<string, readonly string[], SnapshotOfOrganisation>;

  constructor(database: Database, clickhouse: ClickHouseClient, cacheMs: number) {
    this.#clickhouse = clickhouse;
    this.#access = new LRUCache({
      max: maxCachedOrganisations,
      // In lru-cache a ttl of 0 means "never expires".
      ttl: Math.max(1, cacheMs),
      ignoreFetchAbort: true,
      fetchMethod: async (organisationId, _stale, { context: metadataVersion }) => ({
        access: await this.#lookUp(database, organisationId),
        metadataVersion,
      }),
    });
    this.#customKeys = new LRUCache({
      max: maxCachedOrganisations,
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context }) => this.#readCustomKeys(context.organisationId),
    });
  }

  /** `metadataVersion` is published: the custom keys are at least as new. */
  async accessOf(organisationId: number, metadataVersion: number): Promise<OrganisationAccess> {
    const context = metadataVersion;
    let cached = await this.#access.forceFetch(organisationId, { context });
    // Repeated, because a lookup that has started for an older version is shared.
    while (cached.metadataVersion < metadataVersion) {
      cached = await this.#access.forceFetch(organisationId, { context, forceRefresh: true });
    }
    return cached.access;
  }

  async #lookUp(database: Database, organisationId: number): Promise<OrganisationAccess> {
    const [granted, customKeys] = await Promise.all([
      inOrganisation(database, organisationId, (transaction) =>
        grantsOf(transaction, organisationId),
      ),
      this.#latestCustomKeys(organisationId),
    ]);
    return { metrics: granted.metric, tests: granted.test, customKeys };
  }

  // The publisher drops a replaced snapshot. If that happens before its keys are read, there are none:
  // they count only if the snapshot is still the latest afterwards.
  async #latestCustomKeys(organisationId: number): Promise<readonly string[]> {
    let version = await latestPublication(this.#clickhouse, organisationId);
    for (;;) {
      const key = `${organisationId}:${version}`;
      const isCached = this.#customKeys.has(key);
      const keys = await this.#customKeys.forceFetch(key, { context: { organisationId, version } });
      const latest = isCached ? version : await latestPublication(this.#clickhouse, organisationId);
      if (latest === version) return keys;
      this.#customKeys.delete(key);
      version = latest;
    }
  }

  async #readCustomKeys(organisationId: number): Promise<readonly string[]> {
    const rows = await queryRows<{ key: string }>(
      this.#clickhouse,
      // custom.keys is a separate column: the values are not read.
      `SELECT DISTINCT arrayJoin(custom.keys) AS key
FROM agent_metadata_current
WHERE organisation_id = {organisationId:UInt32}
ORDER BY key`,
      {
        query_params: { organisationId },
        clickhouse_settings: organisationSettings(organisationId),
      },
    );
    return rows.map(({ key }) => key);
  }
}

interface SnapshotOfOrganisation {
  readonly organisationId: number;
  readonly version: string;
}
