import { randomBytes } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';

/**
 * Gives all results of an organisation a new version, which invalidates stored answers. For changes other than
 * inserts, whose versions ClickHouse records itself. Call it after the change.
 */
export async function newDataVersion(
  clickhouse: ClickHouseClient,
  organisationId: number | 'all',
): Promise<void> {
  await clickhouse.insert({
    table: 'data_versions',
    values: [
      {
        organisation_id: organisationId === 'all' ? 0 : organisationId,
        test: '',
        day: '1970-01-01',
        version: String(randomBytes(8).readBigUInt64BE()),
      },
    ],
    columns: ['organisation_id', 'test', 'day', 'version'],
    format: 'JSONEachRow',
  });
}
