import type { Database } from '../../../shared/postgres/connect-postgres.ts';
import { lockHistory } from '../../../registry/lock-history.ts';
import type { Erasure } from '../erasure.ts';
import { recordCounts } from '../erasure-ledger.ts';
import type { ErasureTools } from '../erasure-tools.ts';

/**
 * Deletes the agents and all of their history, also superseded periods. From now on the loader does not
 * know them. The trigger snapshot_is_due has the metadata published without them.
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
export async function agentKeyTables(database: Database): Promise<readonly string[]> {
  const { rows } = await database.raw<{ rows: { name: string }[] }>(
    `select c.table_name as name
     from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = current_schema() and c.column_name = 'agent_key'
       and t.table_type = 'BASE TABLE'
     order by 1`,
  );
  return rows.map(({ name }) => name);
}
