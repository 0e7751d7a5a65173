import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';

/** Compares the sets of agents in Postgres with their copies in ClickHouse. Throws with those that differ. */
export async function agentSetsState(
  database: Database,
  clickhouse: ClickHouseClient,
): Promise<string> {
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
    throw new Error(`not as in Postgres: ${names.slice(0, 5).join(', ')}`);
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
