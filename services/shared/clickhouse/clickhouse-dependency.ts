import type { ClickHouseClient } from '@clickhouse/client';
import type { Dependency } from '../http/ops-app.ts';

export function clickHouseDependency(client: ClickHouseClient): Dependency {
  return {
    name: 'clickhouse',
    check: async () => {
      // A real query, since /ping answers even where the database is missing.
      const result = await client.query({
        query:
          'SELECT version() AS version, count() AS tables FROM system.tables WHERE database = currentDatabase()',
        format: 'JSONEachRow',
      });
      const [row] = await result.json<{ version: string; tables: string }>();
      if (row === undefined || Number(row.tables) === 0) throw new Error('not migrated');
      return { version: row.version };
    },
  };
}
