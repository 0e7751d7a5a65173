import type { ClickHouseClient } from '@clickhouse/client';

interface Digest {
  readonly row_count: number;
  readonly sum: string;
}

/** A digest of all columns except ids from Postgres, which can differ between two databases. */
export async function digest(
  clickhouse: ClickHouseClient,
  key: string,
  organisations?: readonly number[],
): Promise<Digest> {
  const final = organisations === undefined ? '' : 'FINAL';
  const where =
    organisations === undefined ? '' : `WHERE organisation_id IN (${organisations.join()})`;
  const result = await clickhouse.query({
    query: `SELECT toUInt32(count()) AS row_count,
       toString(sum(cityHash64(* EXCEPT (organisation_id, agent_key)))) AS sum
FROM test_${key} ${final} ${where}`,
    format: 'JSONEachRow',
  });
  const [row] = await result.json<Digest>();
  return row!;
}
