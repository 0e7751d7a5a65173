import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { Dependency } from '../../shared/http/dependency.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { snapshotState } from '../../registry/snapshot-state.ts';

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
