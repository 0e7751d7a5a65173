import type { ClickHouseClient } from '@clickhouse/client';
import type { DataReads } from '../compiler/compiled-query.ts';
import { organisationRows } from '../execution/organisation-rows.ts';

/** Another value whenever the results of a test change. Days without a change have none. */
export interface DataVersions {
  /** By UTC day, as `2026-01-31`. */
  readonly byDay: ReadonlyMap<string, bigint>;
  /** Of changes that are not of a day: erased agents, removed months, new time zones, sets of agents. */
  readonly common: bigint;
}

// Rows of organisation 0 are of all organisations, and rows without a test of all tests and days.
const versionsQuery = `SELECT if(test = '', '', toString(day)) AS changed, toString(sum(version)) AS version
FROM data_versions
WHERE organisation_id IN (0, {organisation:UInt32})
    AND (test = '' OR (test = {test:String} AND day >= {from:Date} AND day <= {to:Date}))
GROUP BY changed`;

/** Must be read before the results, so that a change in between gives them an outdated version, not a later one. */
export async function readDataVersions(
  clickhouse: ClickHouseClient,
  organisationId: number,
  { test, fromDay, toDay }: DataReads,
  signal: AbortSignal,
): Promise<DataVersions> {
  const rows = await organisationRows<{ changed: string; version: string }>(
    clickhouse,
    organisationId,
    versionsQuery,
    { params: { test, from: fromDay, to: toDay }, signal },
  );
  const ofDays = rows.filter(({ changed }) => changed !== '');
  const others = rows.filter(({ changed }) => changed === '');
  return {
    byDay: new Map(ofDays.map(({ changed, version }) => [changed, BigInt(version)])),
    common: wrapped(others.map(({ version }) => BigInt(version))),
  };
}

/** The version of a range of days, both included: of all days by default. */
export function versionOf(
  { byDay, common }: DataVersions,
  fromDay = '',
  toDay = '9999-12-31',
): bigint {
  const within = [...byDay].filter(([day]) => day >= fromDay && day <= toDay);
  return wrapped([common, ...within.map(([, version]) => version)]);
}

/** The sum modulo 2^64, as ClickHouse's sum of UInt64. */
function wrapped(versions: readonly bigint[]): bigint {
  return BigInt.asUintN(
    64,
    versions.reduce((sum, version) => sum + version, 0n),
  );
}
