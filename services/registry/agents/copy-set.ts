import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { memberKeys } from './agent-sets.ts';
import { everyNodeQuorum } from '../../shared/clickhouse/every-node-quorum.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { Stores } from '../../shared/stores.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { waitForLock } from '../../shared/postgres/with-advisory-lock.ts';

/**
 * Copies the current set from Postgres to ClickHouse, or removes it if Postgres does not have it. Queries use the copy
 * when all of its rows are stored. Returns the number of agents.
 */
export async function copySet(
  stores: Stores,
  organisationId: number,
  name: string,
): Promise<number> {
  const { database, clickhouse } = stores;
  return database.transaction(async (transaction) => {
    // One at a time: the copy that ends last must be the one that was read last.
    await waitForLock(transaction, lockTable.agentSet(organisationId, name));
    const keys = await memberKeys(transaction, organisationId, name);
    await insertCopy(stores, organisationId, name, keys);
    await deleteOldCopies(clickhouse, organisationId);
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

async function insertCopy(
  { clickhouse, cluster }: Stores,
  organisationId: number,
  name: string,
  keys: readonly number[] | undefined,
): Promise<void> {
  const copy = randomUUID();
  const clickhouse_settings = await everyNodeQuorum(clickhouse, cluster);
  if (keys !== undefined && keys.length > 0) {
    await clickhouse.insert({
      table: 'agent_set_member',
      columns: ['organisation_id', 'copy', 'agent_key'],
      format: 'JSONCompactEachRow',
      values: Readable.from(keys.map((key) => [organisationId, copy, key])),
      clickhouse_settings,
    });
  }
  const [stored] = await queryRows<{ count: string }>(
    clickhouse,
    `SELECT toString(count()) AS count FROM agent_set_member
WHERE organisation_id = {organisationId:UInt32} AND copy = {copy:UUID}`,
    { query_params: { organisationId, copy } },
  );
  const count = keys?.length ?? 0;
  if (Number(stored?.count) !== count) {
    throw new Error(`ClickHouse has ${stored?.count} of ${count} agents of the set ${name}`);
  }
  await clickhouse.insert({
    table: 'agent_set_copy',
    columns: ['organisation_id', 'name', 'copy', 'member_count', 'is_removed'],
    format: 'JSONCompactEachRow',
    values: [[organisationId, name, copy, count, keys === undefined]],
    clickhouse_settings,
  });
}

/** Deletes the agents of copies that were replaced more than a day ago: no query that began with one still runs. */
async function deleteOldCopies(
  clickhouse: ClickHouseClient,
  organisationId: number,
): Promise<void> {
  const old = await queryRows<{ copy: string }>(
    clickhouse,
    `SELECT copy FROM (
  SELECT
    copy,
    leadInFrame(toNullable(copied_at)) OVER (
      PARTITION BY name ORDER BY copied_at
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS replaced_at
  FROM agent_set_copy WHERE organisation_id = {organisationId:UInt32}
)
WHERE replaced_at < now64(6) - INTERVAL 1 DAY AND copy IN (
  SELECT copy FROM agent_set_member WHERE organisation_id = {organisationId:UInt32})`,
    { query_params: { organisationId } },
  );
  if (old.length === 0) return;
  const copies = old.map(({ copy }) => `'${copy}'`).join(', ');
  await clickhouse.command({
    query: `ALTER TABLE agent_set_member DELETE
WHERE organisation_id = ${organisationId} AND copy IN (${copies})`,
    clickhouse_settings: { mutations_sync: '1' },
  });
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
