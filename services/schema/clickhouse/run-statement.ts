import type { ClickHouseClient } from '@clickhouse/client';

/** Runs a statement that changes the schema. */
export async function runStatement(client: ClickHouseClient, query: string): Promise<void> {
  try {
    // Waits until all replicas have applied an ALTER, so that the next statement may run on any node.
    await client.command({ query, clickhouse_settings: { alter_sync: '2' } });
  } catch (error) {
    const [head, object, name] = /^CREATE OR REPLACE (VIEW|DICTIONARY) (\w+)/.exec(query) ?? [];
    if (head === undefined || !String(error).includes('RENAME EXCHANGE is not supported'))
      throw error;
    // The WebAssembly engine of the local stack cannot replace objects atomically.
    await client.command({
      query: `DROP ${object} IF EXISTS ${name}`,
      // A dictionary may read a view that is created again at once.
      clickhouse_settings: { check_table_dependencies: 0 },
    });
    await client.command({ query: query.replace(head, `CREATE ${object} ${name}`) });
  }
}
