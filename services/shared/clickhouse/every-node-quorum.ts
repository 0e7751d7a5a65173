import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from './query-rows.ts';

/**
 * A setting for inserts into a table with a replica on every node: the insert returns when all nodes have the rows,
 * because the next query may go to another node. `cluster`: its name; empty for a single server.
 */
export async function everyNodeQuorum(
  clickhouse: ClickHouseClient,
  cluster: string,
  signal?: AbortSignal,
): Promise<{ insert_quorum?: string }> {
  if (cluster === '') return {};
  const [nodes] = await queryRows<{ count: string }>(
    clickhouse,
    'SELECT toString(count()) AS count FROM system.clusters WHERE cluster = {cluster:String}',
    { query_params: { cluster }, ...(signal && { abort_signal: signal }) },
  );
  return { insert_quorum: nodes?.count ?? '0' };
}
