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
    // Not information_schema, which leaves out tables that the role has no rights on: they must fail.
    `select c.relname as name
     from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'agent_key' and not a.attisdropped
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
     order by 1`,
  );
  return rows.map(({ name }) => name);
}
