import type { ClickHouseClient } from '@clickhouse/client';
import type { SampleLineRow } from './read-sample-lines.ts';
import type { SampleRange } from './sample-range.ts';
import { createSampleLines, createSampleSlots, samplePanelTables } from './sample-slots.ts';
import { fillSampleTest, type SampleTest } from './sample-test.ts';
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
  const rowsAdded: Record<string, number> = {};
  await dropSampleTables(clickhouse);
  try {
    await clickhouse.command({ query: createSampleLines });
    await clickhouse.insert({ table: 'sample_lines', values: lines, format: 'JSONEachRow' });
    const missing = await missingTests(clickhouse);
    if (missing.length > 0) {
      await clickhouse.command({ query: createSampleSlots(range, seed) });
    }
    for (const test of missing) {
      await clickhouse.command({ query: fillSampleTest(test) });
      rowsAdded[test.key] = await countSampleRows(clickhouse, test);
    }
  } finally {
    await dropSampleTables(clickhouse);
  }
  return rowsAdded;
}

async function missingTests(clickhouse: ClickHouseClient): Promise<readonly SampleTest[]> {
  const missing: SampleTest[] = [];
  for (const test of sampleTests) {
    if ((await countSampleRows(clickhouse, test)) === 0) missing.push(test);
  }
  return missing;
}

async function countSampleRows(clickhouse: ClickHouseClient, test: SampleTest): Promise<number> {
  const result = await clickhouse.query({
    query: `SELECT toUInt32(count()) AS row_count FROM test_${test.key}
WHERE organisation_id IN (SELECT organisation_id FROM sample_lines)
  AND agent_key IN (SELECT agent_key FROM sample_lines)`,
    format: 'JSONEachRow',
  });
  const [row] = await result.json<{ row_count: number }>();
  return row?.row_count ?? 0;
}

async function dropSampleTables(clickhouse: ClickHouseClient): Promise<void> {
  for (const table of samplePanelTables) {
    await clickhouse.command({ query: `DROP TABLE IF EXISTS ${table}` });
  }
}
