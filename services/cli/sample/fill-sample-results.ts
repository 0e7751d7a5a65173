import type { ClickHouseClient } from '@clickhouse/client';
import type { SampleLineRow } from './read-sample-lines.ts';
import type { SampleRange } from './sample-range.ts';
import { createSampleLines, createSampleSlots, samplePanelTables } from './sample-slots.ts';
import { fillSampleTest } from './sample-test.ts';
import { sampleTests } from './sample-tests.ts';

/** How many rows each test got, by its key; a test whose table has results of the agents gets none. */
export type RowsAdded = Readonly<Record<string, number>>;

/** Generates the results inside ClickHouse, for every test whose table lacks them. */
export async function fillSampleResults(
  clickhouse: ClickHouseClient,
  lines: readonly SampleLineRow[],
  range: SampleRange,
  seed: number,
): Promise<RowsAdded> {
  await dropSampleTables(clickhouse);
  try {
    await clickhouse.command({ query: createSampleLines });
    await clickhouse.insert({ table: 'sample_lines', values: lines, format: 'JSONEachRow' });
    const before = await countSampleRows(clickhouse);
    const missing = sampleTests.filter(({ key }) => before[key] === 0);
    if (missing.length === 0) return {};
    await clickhouse.command({ query: createSampleSlots(range, seed) });
    for (const test of missing) await clickhouse.command({ query: fillSampleTest(test) });
    const after = await countSampleRows(clickhouse);
    return Object.fromEntries(missing.map(({ key }) => [key, after[key] ?? 0]));
  } finally {
    await dropSampleTables(clickhouse);
  }
}

/** Rows of the sample's agents by test, all in one question: sixteen would take a second. */
async function countSampleRows(clickhouse: ClickHouseClient): Promise<RowsAdded> {
  const counts = sampleTests.map(
    ({ key }) => `SELECT '${key}' AS key, toUInt32(count()) AS row_count FROM test_${key}
WHERE organisation_id IN (SELECT organisation_id FROM sample_lines)
  AND agent_key IN (SELECT agent_key FROM sample_lines)`,
  );
  const result = await clickhouse.query({
    query: counts.join('\nUNION ALL\n'),
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ key: string; row_count: number }>();
  return Object.fromEntries(rows.map(({ key, row_count }) => [key, row_count]));
}

async function dropSampleTables(clickhouse: ClickHouseClient): Promise<void> {
  for (const table of samplePanelTables) {
    await clickhouse.command({ query: `DROP TABLE IF EXISTS ${table}` });
  }
}
