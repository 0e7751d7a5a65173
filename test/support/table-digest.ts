import type { ClickHouseClient } from '@clickhouse/client';

interface Digest {
  readonly row_count: number;
  readonly sum: string;
}

/** A digest of all columns except ids from Postgres, which can differ between two databases. */
export async function digest(clickhouse: ClickHouseClient, key: string): Promise<Digest> {
  const result = await clickhouse.query({
    query: `SELECT toUInt32(count()) AS row_count,
       toString(sum(cityHash64(* EXCEPT (organisation_id, agent_key)))) AS sum
FROM test_${key}`,
    format: 'JSONEachRow',
  });
  const [row] = await result.json<Digest>();
  return row!;
}
