import { text } from 'node:stream/consumers';
import type { ClickHouseClient, QueryParams } from '@clickhouse/client';

/** Runs a query and reads its rows into memory: for responses of a few rows. */
export async function queryRows<T>(
  client: ClickHouseClient,
  query: string,
  options: Omit<QueryParams, 'query' | 'format'> = {},
): Promise<T[]> {
  const result = await client.query({ ...options, query, format: 'JSONEachRow' });
  return result.json<T>();
}

/** The rows of a JSONEachRow response that arrives as bytes. */
export async function rowsOf<T>(chunks: AsyncIterable<Buffer>): Promise<T[]> {
  const lines = (await text(chunks)).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T);
}
