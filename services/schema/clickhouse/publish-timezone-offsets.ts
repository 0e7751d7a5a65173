import { createHash } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import { newDataVersion } from '../../shared/clickhouse/new-data-version.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { reloadDictionary } from '../../shared/clickhouse/reload-dictionary.ts';
import { checkTimezoneSpans } from './check-timezone-spans.ts';
import { timezoneOffsets, tzdataRelease } from './timezone-offsets.ts';

/**
 * Publishes the time zone offsets of moment-timezone and reloads the dictionaries. Returns false if these
 * offsets are already published.
 *
 * A version has two rows in timezone_offset_version. The dictionaries read the newest version with at least one row;
 * the second row records that they were loaded. A run that was interrupted before it is repeated.
 */
export async function publishTimezoneOffsets(
  client: ClickHouseClient,
  cluster = '',
): Promise<boolean> {
  const offsets = timezoneOffsets();
  checkTimezoneSpans(offsets);
  const rows = offsets.map((offset) => ({
    timezone: offset.timezone,
    valid_from: offset.validFromUtcS,
    valid_to: offset.validToUtcS,
    utc_offset_s: offset.utcOffsetS,
  }));
  // With a digest, so that a change of our code that changes the rows is a new version too.
  const digest = createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 12);
  const version = `${tzdataRelease}-${digest}`;
  if (await isLoaded(client, version)) return false;

  await client.insert({
    table: 'timezone_offset_source',
    values: rows.map((row) => ({ tzdata_version: version, ...row })),
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  });
  await recordVersion(client, version, rows.length);
  const sources = ['timezone_offset_source', 'timezone_offset_version'];
  for (const dictionary of ['timezone_offset', 'timezone_span']) {
    for (const query of reloadDictionary(dictionary, sources, cluster)) {
      await client.command({ query });
    }
  }
  // After the reload: a response that was computed before it has the old offsets.
  await newDataVersion(client, 'all');
  await recordVersion(client, version, rows.length);
  return true;
}

async function recordVersion(
  client: ClickHouseClient,
  version: string,
  rowCount: number,
): Promise<void> {
  await client.insert({
    table: 'timezone_offset_version',
    values: [{ tzdata_version: version, row_count: rowCount }],
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  });
}

async function isLoaded(client: ClickHouseClient, version: string): Promise<boolean> {
  const newest = await queryRows<{ tzdata_version: string }>(
    client,
    'SELECT tzdata_version FROM timezone_offset_version ORDER BY published_at DESC, tzdata_version DESC LIMIT 2',
  );
  return newest.length === 2 && newest.every((row) => row.tzdata_version === version);
}
