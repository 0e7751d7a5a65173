import type { ClickHouseClient } from '@clickhouse/client';
import { memberKeys } from './agent-sets.ts';
import { compareCopies, copyRows, type CopiedName, type CopyTables } from './copy-rows.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { Stores } from '../../shared/stores.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { waitForLock } from '../../shared/postgres/with-advisory-lock.ts';

const copies: CopyTables = {
  rows: 'agent_set_member',
  copies: 'agent_set_copy',
  columns: ['agent_key'],
  of: 'agents of the set',
};

/**
 * Copies the current set from Postgres to ClickHouse, or removes it if Postgres does not have it. Queries use the copy
 * when all of its rows are stored. Returns the number of agents.
 */
export async function copySet(
  stores: Stores,
  organisationId: number,
  name: string,
): Promise<number> {
  const { database } = stores;
  return database.transaction(async (transaction) => {
    // One at a time: the copy that ends last must be the one that was read last.
    await waitForLock(transaction, lockTable.agentSet(organisationId, name));
    const keys = await memberKeys(transaction, organisationId, name);
    await copyRows(stores, copies, { organisationId, name, rows: keys?.map((key) => [key]) });
    return keys?.length ?? 0;
  });
}

/** The names of the sets that queries can use. */
export async function copiedSets(
  clickhouse: ClickHouseClient,
  organisationId: number,
): Promise<readonly string[]> {
  const rows = await queryRows<{ name: string }>(
    clickhouse,
    'SELECT name FROM agent_set_current WHERE organisation_id = {organisationId:UInt32}',
    { query_params: { organisationId } },
  );
  return rows.map(({ name }) => name);
}

/** Compares the sets of agents in Postgres with their copies in ClickHouse. Throws with those that differ. */
export async function compareSets(stores: Stores): Promise<string> {
  const { database } = stores;
  const stored = await database('agent_sets as s')
    .join('organisations as o', 'o.id', 's.organisation_id')
    .leftJoin('agent_set_members as m', 'm.set_id', 's.id')
    .groupBy('s.id', 'o.name')
    .select<CopiedName[]>(
      's.organisation_id as organisationId',
      'o.name as organisation',
      's.name',
      // Their number and their sum: two sets of the same size rarely have the same sum.
      database.raw(`count(m.agent_key) || ' ' || coalesce(sum(m.agent_key), 0) as hash`),
    );
  await compareCopies(
    stores,
    copies,
    stored,
    "concat(toString(count()), ' ', toString(sum(agent_key)))",
  );
  return `${stored.length} sets, the same in both databases`;
}
