import { createHash } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import { newDataVersion } from '../../shared/clickhouse/new-data-version.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { reloadDictionary } from '../../shared/clickhouse/reload-dictionary.ts';
import { offsetPeriods, timezoneDataVersion, timezoneNames } from '../../shared/timezones.ts';

/**
 * Publishes the time zone offsets of moment-timezone and reloads the dictionary. Returns false if these
 * offsets are already published.
 *
 * A version has two rows in timezone_offset_version. The dictionary reads the newest version with at least one row;
 * the second row records that it was loaded. A run that was interrupted before it is repeated.
 */
export async function publishTimezoneOffsets(
  client: ClickHouseClient,
  cluster = '',
): Promise<boolean> {
  const rows = timezoneOffsets().map((offset) => ({
    timezone: offset.timezone,
    valid_from: offset.validFromUtcS,
    valid_to: offset.validToUtcS,
    utc_offset_s: offset.utcOffsetS,
  }));
  // With a digest, so that a change of our code that changes the rows is a new version too.
  const digest = createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 12);
  // The release of the time zone database: 2026a-1f2e3d4c5b6a.
  const version = `${timezoneDataVersion}-${digest}`;
  if (await isLoaded(client, version)) return false;

  const insert = (table: string, values: readonly object[]) =>
    client.insert({
      table,
      values,
      format: 'JSONEachRow',
    });
  const recordVersion = () =>
    insert('timezone_offset_version', [{ tzdata_version: version, row_count: rows.length }]);
  await insert(
    'timezone_offset_source',
    rows.map((row) => ({ tzdata_version: version, ...row })),
  );
  await recordVersion();
  const sources = ['timezone_offset_source', 'timezone_offset_version'];
  for (const query of reloadDictionary('timezone_span', sources, cluster)) {
    await client.command({ query });
  }
  // After the reload: a response that was computed before it has the old offsets.
  await newDataVersion(client, 'all');
  await recordVersion();
  return true;
}

async function isLoaded(client: ClickHouseClient, version: string): Promise<boolean> {
  const newest = await queryRows<{ tzdata_version: string }>(
    client,
    'SELECT tzdata_version FROM timezone_offset_version ORDER BY published_at DESC, tzdata_version DESC LIMIT 2',
  );
  return newest.length === 2 && newest.every((row) => row.tzdata_version === version);
}

/** A period in which a time zone has one UTC offset. Both ends are included. */
export interface TimezoneOffset {
  readonly timezone: string;
  readonly validFromUtcS: number;
  readonly validToUtcS: number;
  readonly utcOffsetS: number;
}

/**
 * The UTC offsets of all time zones of moment-timezone, including aliases such as Asia/Katmandu. The
 * periods of a zone cover the whole range of ClickHouse's DateTime, 1970 to 2106, without gaps.
 */
export function timezoneOffsets(): readonly TimezoneOffset[] {
  return timezoneNames.flatMap((timezone) => offsetsOf(timezone));
}

const firstSecondUtcS = 0;
const lastSecondUtcS = 2 ** 32 - 1; // 2106-02-07 06:28:15

function offsetsOf(timezone: string): TimezoneOffset[] {
  const periods: TimezoneOffset[] = [];
  let validFromUtcS = firstSecondUtcS;
  for (const { untilMs, utcOffsetS } of offsetPeriods(timezone)) {
    // Periods before 1970 are empty.
    const validToUtcS = Math.min(untilMs / 1000 - 1, lastSecondUtcS);
    if (validToUtcS < validFromUtcS) continue;
    append(periods, { timezone, validFromUtcS, validToUtcS, utcOffsetS });
    validFromUtcS = validToUtcS + 1;
  }
  return periods;
}

// Merges adjacent periods with the same offset, which differ only in their abbreviation (EWT, EPT).
function append(periods: TimezoneOffset[], next: TimezoneOffset): void {
  const last = periods.at(-1);
  if (last?.utcOffsetS === next.utcOffsetS) {
    periods[periods.length - 1] = { ...last, validToUtcS: next.validToUtcS };
  } else {
    periods.push(next);
  }
}
