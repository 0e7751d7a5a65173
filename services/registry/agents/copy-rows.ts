import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { everyNodeQuorum } from '../../shared/clickhouse/every-node-quorum.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { Stores } from '../../shared/stores.ts';

/** Tables of ClickHouse with rows from Postgres: a copy is in use while it is the newest of its name. */
export interface CopyTables {
  readonly rows: string;
  readonly copies: string;
  /** Of `rows`, after the organisation and the copy. */
  readonly columns: readonly string[];
  /** For messages. */
  readonly of: string;
}

interface RowsToCopy {
  readonly organisationId: number;
  readonly name: string;
  /** Undefined: Postgres does not have the name any more. */
  readonly rows: readonly (readonly unknown[])[] | undefined;
}

/** Queries use the copy when all of its rows are stored. */
export async function copyRows(
  { clickhouse, cluster }: Stores,
  tables: CopyTables,
  { organisationId, name, rows }: RowsToCopy,
): Promise<void> {
  const copy = randomUUID();
  const clickhouse_settings = await everyNodeQuorum(clickhouse, cluster);
  if (rows !== undefined && rows.length > 0) {
    await clickhouse.insert({
      table: tables.rows,
      columns: ['organisation_id', 'copy', ...tables.columns] as [string, ...string[]],
      format: 'JSONCompactEachRow',
      values: Readable.from(rows.map((row) => [organisationId, copy, ...row])),
      clickhouse_settings,
    });
  }
  const [stored] = await queryRows<{ count: string }>(
    clickhouse,
    `SELECT toString(count()) AS count FROM ${tables.rows}
WHERE organisation_id = {organisationId:UInt32} AND copy = {copy:UUID}`,
    { query_params: { organisationId, copy } },
  );
  const count = rows?.length ?? 0;
  if (Number(stored?.count) !== count) {
    throw new Error(`ClickHouse has ${stored?.count} of ${count} ${tables.of} ${name}`);
  }
  await clickhouse.insert({
    table: tables.copies,
    columns: ['organisation_id', 'name', 'copy', 'member_count', 'is_removed'],
    format: 'JSONCompactEachRow',
    values: [[organisationId, name, copy, count, rows === undefined]],
    clickhouse_settings,
  });
  await deleteOldCopies(clickhouse, tables, organisationId);
}

/** What Postgres has of a name. */
export interface CopiedName {
  readonly organisationId: number;
  readonly organisation: string;
  readonly name: string;
  readonly hash: string;
}

/** Throws with the names whose rows differ from those of the copy in use. `hash`: SQL over these rows. */
export async function compareCopies(
  { clickhouse }: Stores,
  tables: CopyTables,
  stored: readonly CopiedName[],
  hash: string,
): Promise<void> {
  const copied = await queryRows<Omit<CopiedName, 'organisation'>>(
    clickhouse,
    `SELECT organisation_id AS organisationId, name, ${hash} AS hash
FROM ${tables.rows}
INNER JOIN (
  SELECT organisation_id, name, argMax(copy, copied_at) AS copy
  FROM ${tables.copies} GROUP BY organisation_id, name
) AS current USING (organisation_id, copy)
GROUP BY organisation_id, name`,
  );
  const hashes = new Map(copied.map((one) => [keyOf(one), one.hash]));
  const known = new Set(stored.map(keyOf));
  const names = [
    // A set without agents has no rows there.
    ...stored
      .filter((one) => (hashes.get(keyOf(one)) ?? '0 0') !== one.hash)
      .map(({ organisation, name }) => `${name} of ${organisation}`),
    ...copied
      .filter((one) => !known.has(keyOf(one)))
      .map(({ organisationId, name }) => `${name} of organisation ${organisationId}`),
  ];
  if (names.length > 0) throw new Error(`different from Postgres: ${names.slice(0, 5).join(', ')}`);
}

function keyOf({ organisationId, name }: Pick<CopiedName, 'organisationId' | 'name'>): string {
  return `${organisationId} ${name}`;
}

/** Deletes the rows of copies that were replaced more than a day ago: no query that began with one still runs. */
async function deleteOldCopies(
  clickhouse: ClickHouseClient,
  tables: CopyTables,
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
  FROM ${tables.copies} WHERE organisation_id = {organisationId:UInt32}
)
WHERE replaced_at < now64(6) - INTERVAL 1 DAY AND copy IN (
  SELECT copy FROM ${tables.rows} WHERE organisation_id = {organisationId:UInt32})`,
    { query_params: { organisationId } },
  );
  if (old.length === 0) return;
  const copies = old.map(({ copy }) => `'${copy}'`).join(', ');
  await clickhouse.command({
    query: `ALTER TABLE ${tables.rows} DELETE
WHERE organisation_id = ${organisationId} AND copy IN (${copies})`,
    clickhouse_settings: { mutations_sync: '1' },
  });
}
