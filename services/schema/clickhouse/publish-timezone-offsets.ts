import { createHash } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import { reloadDictionary } from '../../shared/clickhouse/reload-dictionary.ts';
import { checkTimezoneSpans } from './check-timezone-spans.ts';
import { timezoneOffsets, tzdataRelease } from './timezone-offsets.ts';

/**
 * Publishes the time zone offsets of moment-timezone and reloads the dictionaries. Returns false if these
 * offsets are already published.
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
  if ((await publishedVersion(client)) === version) return false;

  await client.insert({
    table: 'timezone_offset_source',
    values: rows.map((row) => ({ tzdata_version: version, ...row })),
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  });
  await client.insert({
    table: 'timezone_offset_version',
    values: [{ tzdata_version: version, row_count: rows.length }],
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  });
  const sources = ['timezone_offset_source', 'timezone_offset_version'];
  for (const dictionary of ['timezone_offset', 'timezone_span']) {
    for (const query of reloadDictionary(dictionary, sources, cluster)) {
      await client.command({ query });
    }
  }
  return true;
}

async function publishedVersion(client: ClickHouseClient): Promise<string | undefined> {
  const result = await client.query({
    query:
      'SELECT tzdata_version FROM timezone_offset_version ORDER BY published_at DESC, tzdata_version DESC LIMIT 1',
    format: 'JSONEachRow',
  });
  const [row] = await result.json<{ tzdata_version: string }>();
  return row?.tzdata_version;
}
