import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import { queryRows } from '../../../shared/clickhouse/query-rows.ts';

interface StoredRows {
  readonly organisationId: number;
  readonly test: string;
  /** First and last day of the rows, UTC. */
  readonly days: { readonly first: string; readonly last: string };
  readonly receivedAtUs: readonly number[];
}

/**
 * The results that have a row of this run. A row whose key was stored before is not one: the first row
 * received is kept. undefined if the role may not read received_at.
 */
export async function countStoredRows(
  clickhouse: ClickHouseClient,
  { organisationId, test, days, receivedAtUs }: StoredRows,
): Promise<number | undefined> {
  if (receivedAtUs.length === 0) return 0;
  try {
    const [row] = await queryRows<{ stored: string | number }>(
      clickhouse,
      `SELECT count() AS stored FROM test_${test} FINAL
WHERE organisation_id = {organisationId:UInt32}
  AND toDate(dtime) BETWEEN toDate({first:String}) AND toDate({last:String})
  AND dtime >= toDateTime64({first:String}, 3, 'UTC')
  AND dtime < toDateTime64({last:String}, 3, 'UTC') + INTERVAL 1 DAY
  AND toUnixTimestamp64Micro(received_at) IN {receivedAtUs:Array(Int64)}
SETTINGS do_not_merge_across_partitions_select_final = 1`,
      { query_params: { organisationId, ...days, receivedAtUs } },
    );
    return Number(row?.stored);
  } catch (error) {
    // The role of an earlier version: deploy/clickhouse/roles/load.sql was not run again.
    if (error instanceof ClickHouseError && error.code === '497') return undefined;
    throw error;
  }
}
