import { snapshotState } from '../../../registry/snapshot-state.ts';
import { queryRows } from '../../../shared/clickhouse/query-rows.ts';
import type { AgentSet, ClickHouseTools } from '../agent-tables.ts';
import { type Erasure, ErasureWaits } from '../erasure.ts';
import type { ErasureTools } from '../erasure-tools.ts';

/**
 * Waits until the publisher has published the metadata without the agents. The rows of earlier
 * publications are deleted with the results, by the next step.
 */
export async function awaitPublication(tools: ErasureTools, erasure: Erasure): Promise<void> {
  if (!(await isForgotten(tools, erasure))) {
    throw new ErasureWaits('the metadata service to publish the metadata without the agents');
  }
}

/** Whether no published metadata has the agents, now and when the changes before the erasure are published. */
async function isForgotten(tools: ErasureTools, erasure: Erasure): Promise<boolean> {
  const { lagS } = await snapshotState(tools.database);
  const { rows } = await tools.database.raw<{ rows: [{ ageS: number }] }>(
    'select extract(epoch from clock_timestamp() - cast(? as timestamptz))::float8 as "ageS"',
    [erasure.createdAt],
  );
  return lagS < rows[0].ageS && (await publishedPeriods(tools, erasure)) === 0;
}

/** Periods of the agents in the dictionaries, on all nodes. */
export async function publishedPeriods(
  { clickhouse, cluster }: ClickHouseTools,
  { agentKeys }: Pick<AgentSet, 'agentKeys'>,
): Promise<number> {
  const keys = agentKeys.map((key) => String(BigInt(key))).join(', ');
  const counts = ['agent_metadata', 'agent_metadata_changes'].map((dictionary) => {
    const source =
      cluster === ''
        ? `dictionary(concat(currentDatabase(), '.${dictionary}'))`
        : `clusterAllReplicas('${cluster}', currentDatabase(), '${dictionary}')`;
    return `(SELECT count() FROM ${source} WHERE agent_key IN (${keys}))`;
  });
  const [row] = await queryRows<{ count: string }>(
    clickhouse,
    `SELECT toString(${counts.join(' + ')}) AS count`,
  );
  return Number(row?.count ?? 0);
}
