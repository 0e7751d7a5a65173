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

  async #customKeys(organisationId: number): Promise<readonly string[]> {
    const result = await this.#clickhouse.query({
      // custom.keys is a column of its own: the values are not read.
      query: `SELECT DISTINCT arrayJoin(custom.keys) AS key
FROM agent_metadata_snapshot
WHERE version = (SELECT max(version) FROM agent_metadata_version)
  AND organisation_id = {organisation:UInt32}
ORDER BY key`,
      query_params: { organisation: organisationId },
      format: 'JSONEachRow',
    });
    const rows = await result.json<{ key: string }>();
    return rows.map(({ key }) => key);
  }
}

// An organisation without grants of a kind sees everything of that kind.
function granted(
  grants: readonly { kind: string; key: string }[],
  kind: string,
): 'all' | readonly string[] {
  const keys = grants.filter((grant) => grant.kind === kind).map(({ key }) => key);
  return keys.length === 0 ? 'all' : keys;
}
