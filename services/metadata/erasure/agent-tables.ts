import type { ClickHouseClient } from '@clickhouse/client';
import { isShardTable, shardedTable } from '../../schema/clickhouse/sharded-tables.ts';
import { onCluster } from '../../shared/clickhouse/on-cluster.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { Stores } from '../../shared/stores.ts';
import { ErasureWaits } from './erasure.ts';

/** Agents whose rows are counted or deleted. */
export interface AgentSet {
  readonly organisationId: number;
  readonly agentKeys: readonly string[];
}

/** Rows by table; tables without any are absent. */
export type RowCounts = Readonly<Record<string, number>>;

export async function countAgentRows(
  { clickhouse }: Pick<Stores, 'clickhouse'>,
  agents: AgentSet,
): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const table of await agentTables(clickhouse)) {
    const [row] = await queryRows<{ count: string }>(
      clickhouse,
      `SELECT count() AS count FROM ${table.name} WHERE ${condition(table, agents)}`,
    );
    const count = Number(row?.count ?? 0);
    if (count > 0) counts[table.name] = count;
  }
  return counts;
}

/**
 * Deletes the counted rows of the agents, and returns when they are deleted on every replica. ALTER …
 * DELETE writes the parts anew without the rows; a lightweight DELETE would only hide them until some
 * later merge. One mutation per table, however many agents.
 */
export async function deleteAgentRows(
  { clickhouse, cluster }: Stores,
  agents: AgentSet,
  counts: RowCounts,
): Promise<void> {
  for (const table of await agentTables(clickhouse)) {
    if (counts[table.name] === undefined) continue;
    await waitForMutation(clickhouse, table, agents);
    await clickhouse.command({
      query: deletion(table, agents, cluster),
      clickhouse_settings: { mutations_sync: '2' },
    });
  }
}

/** A table that is not sharded has one set of replicas: the statement runs on one node. */
export function deletion(table: AgentTable, agents: AgentSet, cluster: string): string {
  const where = table.isSharded ? onCluster(cluster) : '';
  return `ALTER TABLE ${table.stored} ${where}DELETE WHERE ${condition(table, agents)}`;
}

interface AgentTable {
  /** For queries: on a cluster the Distributed table over all shards. */
  readonly name: string;
  /** The table that has the rows. */
  readonly stored: string;
  readonly isSharded: boolean;
  readonly hasOrganisation: boolean;
}

/**
 * The tables that have rows of agents: results, what is derived from them, and published metadata. Found
 * by their column agent_key, so that a new table is included.
 */
async function agentTables(clickhouse: ClickHouseClient): Promise<readonly AgentTable[]> {
  const tables = await queryRows<{ stored: string; organisations: string }>(
    clickhouse,
    `SELECT table AS stored, countIf(name = 'organisation_id') AS organisations
FROM system.columns
WHERE database = currentDatabase() AND table IN (
  SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree')
GROUP BY table HAVING countIf(name = 'agent_key') > 0 ORDER BY table`,
  );
  return tables.map(({ stored, organisations }) => ({
    name: isShardTable(stored) ? shardedTable(stored) : stored,
    stored,
    isSharded: isShardTable(stored),
    hasOrganisation: Number(organisations) > 0,
  }));
}

/** A deletion that outlasts the client's timeout continues. It must not be added again at each attempt. */
async function waitForMutation(
  clickhouse: ClickHouseClient,
  { stored }: AgentTable,
  agents: AgentSet,
): Promise<void> {
  const [running] = await queryRows<{ failure: string }>(
    clickhouse,
    `SELECT latest_fail_reason AS failure FROM system.mutations
WHERE database = currentDatabase() AND table = {stored:String} AND NOT is_done
  AND position(command, {agents:String}) > 0`,
    { query_params: { stored, agents: agentKeyIn(agents) } },
  );
  if (running === undefined) return;
  if (running.failure !== '') throw new Error(`deleting from ${stored} fails: ${running.failure}`);
  throw new ErasureWaits(`ClickHouse to delete rows from ${stored}`);
}

/** The organisation is the first column of the sorting key: without it, all rows would be read. */
function condition({ hasOrganisation }: AgentTable, agents: AgentSet): string {
  const ofAgents = agentKeyIn(agents);
  return hasOrganisation ? `organisation_id = ${agents.organisationId} AND ${ofAgents}` : ofAgents;
}

function agentKeyIn({ agentKeys }: AgentSet): string {
  return `agent_key IN (${agentKeys.map((key) => String(BigInt(key))).join(', ')})`;
}
