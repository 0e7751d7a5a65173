import type { ClickHouseClient } from '@clickhouse/client';
import type { LRUCache } from 'lru-cache';
import { organisationRows } from '../execution/organisation-rows.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { Dependency } from '../../shared/http/dependency.ts';
import { readCache } from '../../shared/read-cache.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { snapshotState } from '../../registry/versions/snapshot-state.ts';

/** The publication of an organisation's metadata in ClickHouse; 0 while it has none. */
async function latestPublication(
  clickhouse: ClickHouseClient,
  organisationId: number,
): Promise<string> {
  const [latest] = await organisationRows<{ version: string }>(
    clickhouse,
    organisationId,
    latestPublicationQuery,
  );
  return latest?.version ?? '0';
}

/** Parameter: organisation. */
export const latestPublicationQuery = `SELECT toString(max(publication)) AS version
FROM (
    SELECT organisation_id, publication FROM agent_metadata_publication
    UNION ALL
    SELECT organisation_id, publication FROM agent_metadata_change_publication
) WHERE organisation_id = {organisation:UInt32}`;

/**
 * Reads agent_metadata_current. The publisher drops a replaced publication, and a read of it then misses rows:
 * it is repeated if the publication is not the latest afterwards.
 */
export async function readLatestPublication<Value>(
  clickhouse: ClickHouseClient,
  organisationId: number,
  read: () => Promise<Value>,
): Promise<Value> {
  let before = await latestPublication(clickhouse, organisationId);
  for (;;) {
    const value = await read();
    const after = await latestPublication(clickhouse, organisationId);
    if (after === before) return value;
    before = after;
  }
}

/**
 * Caches what is read of a publication, which never changes. `name`: of the value within an organisation. A value that
 * was read while its publication was replaced and dropped is read again.
 */
export function publicationCache<Value extends object>(
  clickhouse: ClickHouseClient,
  options: LRUCache.Options<string, Value, () => Promise<Value>>,
) {
  const cached = readCache(options, (read) => read());
  return async (organisationId: number, name: string, read: () => Promise<Value>) => {
    let publication = await latestPublication(clickhouse, organisationId);
    for (;;) {
      const key = `${organisationId}:${publication}:${name}`;
      const isCached = cached.has(key);
      const value = await cached.forceFetch(key, { context: read });
      const latest = isCached ? publication : await latestPublication(clickhouse, organisationId);
      if (latest === publication) return value;
      cached.delete(key);
      publication = latest;
    }
  };
}

/** Reports the age of the metadata snapshot and its lag behind Postgres. Queries work with an old one. */
export function snapshotDependency(database: Database, clickhouse: ClickHouseClient): Dependency {
  return {
    name: 'snapshot',
    required: false,
    check: async () => {
      const { version: publishedVersion, waitingChanges, lagS } = await snapshotState(database);
      const [row] = await queryRows<{ version: string; age_s: number | null }>(
        clickhouse,
        `SELECT max(publication) AS version,
  if(count() = 0, NULL, dateDiff('millisecond', max(published_at), now64(3, 'UTC')) / 1000) AS age_s
FROM (
    SELECT publication, published_at FROM agent_metadata_publication
    UNION ALL
    SELECT publication, published_at FROM agent_metadata_change_publication
)`,
      );
      return {
        version: Number(row?.version ?? 0),
        publishedVersion,
        snapshotAgeSeconds: row?.age_s ?? null,
        waitingChanges,
        lagSeconds: lagS,
      };
    },
  };
}
