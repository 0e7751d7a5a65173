import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { everyNodeQuorum } from '../../shared/clickhouse/every-node-quorum.ts';
import { organisationRows } from '../execution/organisation-rows.ts';

/** What a copy has: the metadata of an organisation after one of its changes. */
export interface CopiedChange {
  readonly organisationId: number;
  readonly changeId: number;
}

export type MetadataCopies = ReturnType<typeof metadataCopies>;

/** The copies of earlier metadata in ClickHouse. `cluster`: its name; empty for a single server. */
export function metadataCopies(clickhouse: ClickHouseClient, cluster: string) {
  return { isCopied, copiedPeriods, insert, complete };

  /**
   * Whether the newest copy is complete and less than an hour old. Its rows live for three hours, so they do
   * not disappear before the query starts. An erasure removes rows, so that a copy becomes incomplete.
   */
  async function isCopied(
    { organisationId, changeId }: CopiedChange,
    signal: AbortSignal,
  ): Promise<boolean> {
    const [newest] = await organisationRows<{ is_usable: number }>(
      clickhouse,
      organisationId,
      `WITH (
  SELECT (argMax(fill, filled_at), argMax(row_count, filled_at), max(filled_at))
  FROM agent_metadata_known_at_fill
  WHERE organisation_id = {organisation:UInt32} AND change_id = {change:UInt64}
) AS newest
SELECT count() = newest.2 AND newest.3 > now64(3) - INTERVAL 1 HOUR AS is_usable
FROM agent_metadata_known_at WHERE organisation_id = {organisation:UInt32} AND fill = newest.1`,
      { params: { change: changeId }, signal },
    );
    return newest?.is_usable === 1;
  }

  /** Rows of all copies of an organisation, also of those that were not finished. */
  async function copiedPeriods(organisationId: number, signal: AbortSignal): Promise<number> {
    const [row] = await organisationRows<{ count: string }>(
      clickhouse,
      organisationId,
      `SELECT toString(count()) AS count FROM agent_metadata_known_at
WHERE organisation_id = {organisation:UInt32}`,
      { signal },
    );
    return Number(row?.count ?? 0);
  }

  /** Streams the rows in one insert. They are not used before `complete`. */
  async function insert(lines: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
    const { stream } = await clickhouse.exec({
      query: `INSERT INTO agent_metadata_known_at (organisation_id, fill, agent_key, valid_from, isp, package, timezone, custom, custom_number_keys) FORMAT JSONCompactEachRow`,
      values: Readable.from(lines, { objectMode: false }),
      abort_signal: signal,
      clickhouse_settings: await everyNodeQuorum(clickhouse, cluster, signal),
    });
    stream.resume();
  }

  /** Throws if ClickHouse does not have all rows. */
  async function complete(
    { organisationId, changeId }: CopiedChange,
    fill: string,
    rowCount: number,
    signal: AbortSignal,
  ): Promise<void> {
    const [stored] = await organisationRows<{ count: string }>(
      clickhouse,
      organisationId,
      `SELECT toString(count()) AS count FROM agent_metadata_known_at
WHERE organisation_id = {organisation:UInt32} AND fill = {fill:UUID}`,
      { params: { fill }, signal },
    );
    if (Number(stored?.count) !== rowCount) {
      throw new Error(`ClickHouse has ${stored?.count} of ${rowCount} copied periods`);
    }
    await clickhouse.insert({
      table: 'agent_metadata_known_at_fill',
      values: [{ organisation_id: organisationId, change_id: changeId, fill, row_count: rowCount }],
      columns: ['organisation_id', 'change_id', 'fill', 'row_count'],
      format: 'JSONEachRow',
      abort_signal: signal,
      clickhouse_settings: await everyNodeQuorum(clickhouse, cluster, signal),
    });
  }
}
