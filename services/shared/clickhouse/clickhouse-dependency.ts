import type { ClickHouseClient } from '@clickhouse/client';
import type { Dependency } from '../http/dependency.ts';

interface Options {
  readonly required: boolean;
  /** Empty for a single server. */
  readonly cluster: string;
}

export function clickHouseDependency(
  client: ClickHouseClient,
  { required, cluster }: Options,
): Dependency {
  return {
    name: 'clickhouse',
    required,
    check: async () => {
      // A real query, since /ping answers even where the database is missing.
      const [row] = await rowsOf<{ version: string; tables: string }>(
        client,
        'SELECT version() AS version, count() AS tables FROM system.tables WHERE database = currentDatabase()',
      );
      if (row === undefined || Number(row.tables) === 0) throw new Error('not migrated');
      return { version: row.version, lagSeconds: cluster === '' ? 0 : await replicaLagS(client) };
    },
  };
}

/** How far the node that answers is behind the other replicas; null where we may not ask. */
async function replicaLagS(client: ClickHouseClient): Promise<number | null> {
  try {
    const [row] = await rowsOf<{ lag: string }>(
      client,
      'SELECT max(absolute_delay) AS lag FROM system.replicas WHERE database = currentDatabase()',
    );
    return Number(row?.lag ?? 0);
  } catch {
    // Granted by deploy/clickhouse/roles/cluster.sql, which an older installation may not have run.
    return null;
  }
}

async function rowsOf<T>(client: ClickHouseClient, query: string): Promise<T[]> {
  const result = await client.query({ query, format: 'JSONEachRow' });
  return result.json<T>();
}
