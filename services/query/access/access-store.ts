import type { ClickHouseClient } from '@clickhouse/client';
import type { Database } from '../../shared/postgres/connect-postgres.ts';

/** What an organisation may ask for; anything else does not exist as far as it can tell. */
export interface OrganisationAccess {
  readonly metrics: 'all' | readonly string[];
  readonly tests: 'all' | readonly string[];
  /** Keys of its agents' custom metadata, sorted. */
  readonly customKeys: readonly string[];
}

interface Cached {
  readonly access: Promise<OrganisationAccess>;
  readonly validUntilMs: number;
}

/** Looks an organisation's access up at most once every few seconds. */
export class AccessStore {
  readonly #database: Database;
  readonly #clickhouse: ClickHouseClient;
  readonly #cacheMs: number;
  readonly #cache = new Map<number, Cached>();
  readonly #customKeysByOrganisation = new Map<number, VersionedKeys>();

  constructor(database: Database, clickhouse: ClickHouseClient, cacheMs: number) {
    this.#database = database;
    this.#clickhouse = clickhouse;
    this.#cacheMs = cacheMs;
  }

  async accessOf(organisationId: number): Promise<OrganisationAccess> {
    const cached = this.#cache.get(organisationId);
    if (cached !== undefined && Date.now() < cached.validUntilMs) return cached.access;
    const access = this.#lookUp(organisationId);
    this.#cache.set(organisationId, { access, validUntilMs: Date.now() + this.#cacheMs });
    try {
      return await access;
    } catch (error) {
      this.#cache.delete(organisationId);
      throw error;
    }
  }

  async #lookUp(organisationId: number): Promise<OrganisationAccess> {
    const [grants, customKeys] = await Promise.all([
      this.#database('grants')
        .where({ organisation_id: organisationId })
        .orderBy(['kind', 'key'])
        .select<{ kind: string; key: string }[]>('kind', 'key'),
      this.#customKeys(organisationId),
    ]);
    return {
      metrics: granted(grants, 'metric'),
      tests: granted(grants, 'test'),
      customKeys,
    };
  }

  // A snapshot never changes once it is complete, so its keys are looked for once: among a million
  // agents that takes a moment, while the version is known at once.
  async #customKeys(organisationId: number): Promise<readonly string[]> {
    const [newest] = await this.#rows<{ version: string }>(
      'SELECT toString(max(version)) AS version FROM agent_metadata_version',
    );
    const version = newest?.version ?? '0';
    const known = this.#customKeysByOrganisation.get(organisationId);
    if (known?.version === version) return known.keys;
    const rows = await this.#rows<{ key: string }>(
      // custom.keys is a column of its own: the values are not read.
      `SELECT DISTINCT arrayJoin(custom.keys) AS key
FROM agent_metadata_snapshot
WHERE version = {version:UInt64} AND organisation_id = {organisation:UInt32}
ORDER BY key`,
      { version, organisation: organisationId },
    );
    const keys = rows.map(({ key }) => key);
    this.#customKeysByOrganisation.set(organisationId, { version, keys });
    return keys;
  }

  async #rows<T>(query: string, params: Record<string, string | number> = {}): Promise<T[]> {
    const result = await this.#clickhouse.query({
      query,
      query_params: params,
      format: 'JSONEachRow',
    });
    return result.json<T>();
  }
}

interface VersionedKeys {
  readonly version: string;
  readonly keys: readonly string[];
}

// An organisation without grants of a kind sees everything of that kind.
function granted(
  grants: readonly { kind: string; key: string }[],
  kind: string,
): 'all' | readonly string[] {
  const keys = grants.filter((grant) => grant.kind === kind).map(({ key }) => key);
  return keys.length === 0 ? 'all' : keys;
}
