import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../../../services/shared/clickhouse/query-rows.ts';
import type { SampleLineRow } from './read-sample-lines.ts';
import type { SampleRange } from './sample-range.ts';
import { createSampleLines, createSampleSlots, samplePanelTables } from './sample-slots.ts';
import { fillSampleTest } from './sample-test.ts';
import { sampleTests } from './sample-tests.ts';

/** Rows added, by test key. A test whose results reach the end of the range is missing. */
export type RowsAdded = Readonly<Record<string, number>>;

/**
 * Generates results in ClickHouse: for the last `resultDays` of the range for a test without results, and from
 * its last result on for a test that ends more than a day before the range.
 */
export async function fillSampleResults(
  clickhouse: ClickHouseClient,
  lines: readonly SampleLineRow[],
  range: SampleRange,
  seed: number,
  resultDays: number,
): Promise<RowsAdded> {
  await dropSampleTables(clickhouse);
  try {
    await clickhouse.command({ query: createSampleLines });
    await clickhouse.insert({ table: 'sample_lines', values: lines, format: 'JSONEachRow' });
    const before = await readStored(clickhouse);
    const endsAtS = range.endsAt.getTime() / 1000;
    const incomplete = sampleTests.filter(({ key }) => endsAtS - lastOf(before, key) > dayS);
    if (incomplete.length === 0) return {};
    await clickhouse.command({ query: createSampleSlots(range, seed) });
    for (const test of incomplete) {
      const afterS = Math.max(lastOf(before, test.key), endsAtS - resultDays * dayS);
      await clickhouse.command({ query: fillSampleTest(test, afterS) });
    }
    const after = await readStored(clickhouse);
    const rowCount = (stored: StoredResults, key: string) => stored.get(key)?.row_count ?? 0;
    return Object.fromEntries(
      incomplete.map(({ key }) => [key, rowCount(after, key) - rowCount(before, key)]),
    );
  } finally {
    await dropSampleTables(clickhouse);
  }
}

const dayS = 86_400;

/** Rows of the sample agents and time of the last one, by test key. */
type StoredResults = ReadonlyMap<string, { readonly row_count: number; readonly last_s: number }>;

/** One query, because sixteen queries take a second. */
async function readStored(clickhouse: ClickHouseClient): Promise<StoredResults> {
  const tests = sampleTests.map(
    ({
      key,
    }) => `SELECT '${key}' AS key, toUInt32(count()) AS row_count, toUnixTimestamp(max(dtime)) AS last_s
FROM test_${key}
WHERE organisation_id IN (SELECT organisation_id FROM sample_lines)
  AND agent_key IN (SELECT agent_key FROM sample_lines)`,
  );
  const rows = await queryRows<{ key: string; row_count: number; last_s: number }>(
    clickhouse,
    tests.join('\nUNION ALL\n'),
  );
  return new Map(rows.map((row) => [row.key, row]));
}

function lastOf(stored: StoredResults, key: string): number {
  return stored.get(key)?.last_s ?? 0;
}

async function dropSampleTables(clickhouse: ClickHouseClient): Promise<void> {
  for (const table of samplePanelTables) {
    await clickhouse.command({ query: `DROP TABLE IF EXISTS ${table}` });
  }
}
