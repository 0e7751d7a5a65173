import type { ClickHouseClient } from '@clickhouse/client';
import { LRUCache } from 'lru-cache';
import { grantedKeys } from '../../registry/grants.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';

/** The keys an organisation may use; any other looks as if it did not exist. */
export interface OrganisationAccess {
  readonly metrics: 'all' | readonly string[];
  readonly tests: 'all' | readonly string[];
  /** Keys of its agents' custom metadata, sorted. */
  readonly customKeys: readonly string[];
}

const maxCachedOrganisations = 10_000;

/** Looks up an organisation's access at most once every few seconds. */
export class AccessStore {
  readonly #clickhouse: ClickHouseClient;
  readonly #access: LRUCache<number, OrganisationAccess>;
  // A snapshot never changes once it is complete, so its keys are read once: among a million agents
  // that takes a moment, while reading the newest version is cheap.
  readonly #customKeys: LRUCache<string, readonly string[], SnapshotOfOrganisation>;

  constructor(database: Database, clickhouse: ClickHouseClient, cacheMs: number) {
    this.#clickhouse = clickhouse;
    this.#access = new LRUCache({
      max: maxCachedOrganisations,
      // lru-cache takes a ttl of 0 for "never expires".
      ttl: Math.max(1, cacheMs),
      ignoreFetchAbort: true,
      fetchMethod: (organisationId) => this.#lookUp(database, organisationId),
    });
    this.#customKeys = new LRUCache({
      max: maxCachedOrganisations,
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context }) => this.#readCustomKeys(context),
    });
  }

  async accessOf(organisationId: number): Promise<OrganisationAccess> {
    return this.#access.forceFetch(organisationId);
  }

  async #lookUp(database: Database, organisationId: number): Promise<OrganisationAccess> {
    const [granted, version] = await Promise.all([
      grantedKeys(database, organisationId),
      this.#newestSnapshot(),
    ]);
    const context = { organisationId, version };
    const customKeys = await this.#customKeys.forceFetch(`${organisationId}:${version}`, {
      context,
    });
    return { metrics: granted.metric, tests: granted.test, customKeys };
  }

  async #newestSnapshot(): Promise<string> {
    const [newest] = await queryRows<{ version: string }>(
      this.#clickhouse,
      'SELECT toString(max(version)) AS version FROM agent_metadata_version',
    );
    return newest?.version ?? '0';
  }

  async #readCustomKeys(snapshot: SnapshotOfOrganisation): Promise<readonly string[]> {
    const rows = await queryRows<{ key: string }>(
      this.#clickhouse,
      // custom.keys is a column of its own: the values are not read.
      `SELECT DISTINCT arrayJoin(custom.keys) AS key
FROM agent_metadata_snapshot
WHERE version = {version:UInt64} AND organisation_id = {organisationId:UInt32}
ORDER BY key`,
      { query_params: { ...snapshot } },
    );
    return rows.map(({ key }) => key);
  }
}

interface SnapshotOfOrganisation {
  readonly organisationId: number;
  readonly version: string;
}
