import type { Knex } from 'knex';
import {
  postgresCustomColumns,
  postgresRowText,
  scalarColumns,
  type SnapshotContent,
} from './snapshot-content.ts';

/** ClickHouse's DateTime ends at 2106-02-07 06:28:15. */
export const lastSecond = 2 ** 32 - 1;
/** Limits memory use, independent of the number of agents and the size of their custom values. */
const bytesPerFetch = 8 * 1024 * 1024;
const maxRowsPerFetch = 5_000;
/** More than a row without custom values; and JSON as text may be twice as long as stored. */
const bytesPerRow = 1_000;
const textFactor = 2;

/** Agents of an organisation; all of them without `agentKeys`. */
export interface SnapshotScope {
  readonly organisationId: number;
  readonly agentKeys?: readonly number[];
}

/** A condition on a table whose column `keyColumn` has the keys of agents. */
function inScope(scope: SnapshotScope | undefined, keyColumn: string): string {
  if (scope === undefined) return 'true';
  const { organisationId, agentKeys } = scope;
  const ofOrganisation = `organisation_id = ${organisationId}`;
  if (agentKeys === undefined) return ofOrganisation;
  return `${ofOrganisation} and ${keyColumn} = any('{${agentKeys.map(BigInt).join(',')}}'::bigint[])`;
}

/**
 * One row per agent and period: the current periods of history, and the gaps between them without
 * metadata, so that an agent's country and kind are known at any time.
 */
const snapshotRows = (scope?: SnapshotScope) => `
  with periods as (
    select agent_key, valid, isp_id, package_id, timezone, custom
    from agent_metadata where superseded_at is null and ${inScope(scope, 'agent_key')}
    union all
    select agents.id, gap.valid, null, null, null, '{}'
    from agents
      left join (
        select agent_key, range_agg(valid) as valid
        from agent_metadata where superseded_at is null and ${inScope(scope, 'agent_key')}
        group by agent_key
      ) as covered on covered.agent_key = agents.id
      cross join lateral unnest(
        '{(,)}'::tstzmultirange - coalesce(covered.valid, '{}')) as gap (valid)
    where ${inScope(scope, 'id')}
  )
  select a.organisation_id, a.id as agent_key,
         coalesce(greatest(extract(epoch from lower(s.valid))::bigint, 0), 0) as valid_from,
         coalesce(least(extract(epoch from upper(s.valid))::bigint - 1, ${lastSecond}), ${lastSecond})
           as valid_to,
         a.agent_id, a.unit_id, a.mac_address,
         case a.kind when 'cpe' then 'CPE' else initcap(a.kind) end as kind,
         a.base, a.country,
         i.name as isp, i.name || ':' || p.name as package, s.timezone, s.custom
  from periods s
    join agents a on a.id = s.agent_key
    left join isps i on i.id = s.isp_id
    left join packages p on p.id = s.package_id`;

/** Rows within the range of ClickHouse's DateTime, 1970 to 2106. */
const storableRows = (scope?: SnapshotScope) => `
  select * from (${snapshotRows(scope)}) as r cross join lateral ${postgresCustomColumns}
  where valid_from <= valid_to`;

/**
 * Yields the rows of agents in chunks as JSONCompactEachRow, and returns their count and hash. Postgres
 * formats the lines, so that no row is parsed here.
 */
export async function* readSnapshotLines(
  transaction: Knex.Transaction,
  scope: SnapshotScope,
  publication: number,
): AsyncGenerator<string, SnapshotContent> {
  const rowsPerFetch = await rowsOfFetch(transaction, scope);
  await transaction.raw(`
    declare snapshot_lines no scroll cursor for
    select cast(json_build_array(${publication}, ${scalarColumns.join(', ')},
             custom_map, custom_number_keys) as text) as line,
           substr(md5(${postgresRowText}), 1, 16) as hash
    from (${storableRows(scope)}) as rows`);
  let rowCount = 0;
  let contentHash = 0n;
  for (;;) {
    const { rows } = await transaction.raw<{ rows: { line: string; hash: string }[] }>(
      `fetch ${rowsPerFetch} from snapshot_lines`,
    );
    if (rows.length === 0) return { rowCount, contentHash };
    for (const { hash } of rows) contentHash += BigInt(`0x${hash}`);
    contentHash = BigInt.asUintN(64, contentHash);
    rowCount += rows.length;
    // JSON escapes line feeds within values: each line is one row.
    yield rows.map(({ line }) => `${line}\n`).join('');
  }
}

/** Rows that are fetched at once, so that they fit into bytesPerFetch; at least one. */
async function rowsOfFetch(transaction: Knex.Transaction, scope: SnapshotScope): Promise<number> {
  const { rows } = await transaction.raw<{ rows: [{ bytes: number }] }>(
    `select coalesce(max(octet_length(cast(custom as text))), 0) as bytes from agent_metadata
     where superseded_at is null and ${inScope(scope, 'agent_key')}`,
  );
  const fitting = Math.floor(bytesPerFetch / (bytesPerRow + textFactor * rows[0].bytes));
  return Math.min(Math.max(1, fitting), maxRowsPerFetch);
}

/** The rows of the next `agentLimit` agents, to compare with ClickHouse. */
export async function readSnapshotPeriods(
  transaction: Knex.Transaction,
  aboveAgentKey: number,
  agentLimit: number,
): Promise<readonly SnapshotPeriod[]> {
  const { rows } = await transaction.raw<{ rows: SnapshotPeriod[] }>(
    `select agent_key as "agentKey", valid_from as "validFromS", valid_to as "validToS",
            json_build_object(${scalarColumns.map((column) => `'${column}', cast(${column} as text)`).join(', ')},
              'custom', custom_map, 'custom_number_keys', custom_number_keys) as columns
     from (${storableRows()}
       and agent_key in (select id from agents where id > :aboveAgentKey order by id limit :agentLimit)
     ) as rows
     order by agent_key, valid_from`,
    { aboveAgentKey, agentLimit },
  );
  return rows;
}

export interface SnapshotPeriod {
  readonly agentKey: number;
  readonly validFromS: number;
  readonly validToS: number;
  /** By name: texts or null, `custom` as an object, and `custom_number_keys` as a list. */
  readonly columns: Readonly<Record<string, unknown>>;
}
