import { type AgentSet, countAgentRows, type RowCounts } from '../agent-tables.ts';
import type { Erasure, ErasureTools } from '../erasure.ts';
import { recordCounts } from '../erasure-ledger.ts';
import type { Stores } from '../../../shared/stores.ts';
import type { Database } from '../../../shared/postgres/connect-postgres.ts';
import { lockHistory } from '../../../registry/versions/lock-history.ts';

/** Counts before anything is removed: after a crash during a removal the rest would be too few. */
export async function countStored(tools: ErasureTools, erasure: Erasure): Promise<void> {
  const removed = await storedRows(tools, erasure);
  await recordCounts(tools.database, erasure.id, { removed });
}

/** The rows of agents in both databases, by table. */
export async function storedRows(
  { database, clickhouse }: Omit<Stores, 'cluster'>,
  agents: AgentSet,
): Promise<RowCounts> {
  const counts: Record<string, number> = { agents: agents.agentKeys.length };
  for (const table of await agentKeyTables(database)) {
    const [counted] = await database(table)
      .whereIn('agent_key', agents.agentKeys)
      .count<{ count: number }[]>('* as count');
    const count = counted?.count ?? 0;
    if (count > 0) counts[table] = count;
  }
  return { ...counts, ...(await countAgentRows({ clickhouse }, agents)) };
}

/**
 * Deletes the agents and all of their history, also superseded periods. From now on the loader does not
 * know them. The trigger deleted_agents_are_due has the metadata published without them.
 */
export async function removeFromRegistry(
  { database }: ErasureTools,
  { id, organisationId, agentKeys }: Erasure,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockHistory(transaction, organisationId);
    // Otherwise the trigger history_is_not_deleted refuses it.
    await transaction.raw("set local netpanel.erasing = 'on'");
    const removed: Record<string, number> = {};
    for (const table of await agentKeyTables(transaction)) {
      removed[table] = await transaction(table).whereIn('agent_key', agentKeys).delete();
    }
    removed.agents = await transaction('agents')
      .where({ organisation_id: organisationId })
      .whereIn('id', agentKeys)
      .delete();
    await recordCounts(transaction, id, { removed });
  });
}

/** The tables of Postgres with rows of agents, found by their column agent_key. */
async function agentKeyTables(database: Database): Promise<readonly string[]> {
  const { rows } = await database.raw<{ rows: { name: string }[] }>(
    // Not information_schema, which leaves out tables that the role has no rights on: they must fail.
    `select c.relname as name
     from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'agent_key' and not a.attisdropped
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
     order by 1`,
  );
  return rows.map(({ name }) => name);
}
