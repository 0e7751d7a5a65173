import type { ClickHouseClient } from '@clickhouse/client';
import { memberKeys } from './agent-sets.ts';
import { copyRows, type CopyTables } from './copy-rows.ts';
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
export async function compareSets({ database, clickhouse }: Stores): Promise<string> {
  const stored = await database('agent_sets as s')
    .join('organisations as o', 'o.id', 's.organisation_id')
    .leftJoin('agent_set_members as m', 'm.set_id', 's.id')
    .groupBy('s.id', 'o.name')
    .select<SetHash[]>(
      's.organisation_id as organisationId',
      'o.name as organisation',
      's.name',
      // Their number and their sum: two sets of the same size rarely have the same sum.
      database.raw(`count(m.agent_key) || ' ' || coalesce(sum(m.agent_key), 0) as hash`),
    );
  const copied = await queryRows<Omit<SetHash, 'organisation'>>(
    clickhouse,
    `SELECT organisation_id AS organisationId, name,
  concat(toString(count()), ' ', toString(sum(agent_key))) AS hash
FROM agent_set_agents GROUP BY organisation_id, name`,
  );
  const hashes = new Map(copied.map((set) => [keyOf(set), set.hash]));
  // A set without agents has no rows there.
  const differing = stored.filter((set) => (hashes.get(keyOf(set)) ?? '0 0') !== set.hash);
  const known = new Set(stored.map(keyOf));
  const removed = copied.filter((set) => !known.has(keyOf(set)));
  if (differing.length + removed.length > 0) {
    const names = [
      ...differing.map(({ organisation, name }) => `${name} of ${organisation}`),
      ...removed.map(({ organisationId, name }) => `${name} of organisation ${organisationId}`),
    ];
    throw new Error(`different from Postgres: ${names.slice(0, 5).join(', ')}`);
  }
  return `${stored.length} sets, the same in both databases`;
}

interface SetHash {
  readonly organisationId: number;
  readonly organisation: string;
  readonly name: string;
  readonly hash: string;
}

function keyOf({ organisationId, name }: Pick<SetHash, 'organisationId' | 'name'>): string {
  return `${organisationId} ${name}`;
}
