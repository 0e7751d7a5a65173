import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import type { AgentDirectory } from './agent-directory.ts';
import type { ScannedRows } from './row-scanner.ts';

/** The rows of a block in the column order of the INSERT: each after the prefix of its agent. */
export function blockToInsert(
  block: Buffer,
  rows: ScannedRows,
  agents: AgentDirectory,
): { readonly bytes: Buffer; readonly rowCount: number } {
  const { count, starts, ends } = rows;
  let size = 0;
  for (let i = 0; i < count; i++) {
    const prefix = agents.prefix(rows.agents[i] ?? 0);
    if (prefix !== undefined) size += prefix.length + (ends[i] ?? 0) - (starts[i] ?? 0) + 1;
  }
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  let rowCount = 0;
  for (let i = 0; i < count; i++) {
    const prefix = agents.prefix(rows.agents[i] ?? 0);
    if (prefix === undefined) continue;
    bytes.set(prefix, at);
    at += prefix.length;
    at += block.copy(bytes, at, starts[i], ends[i]);
    bytes[at++] = 0x0a;
    rowCount++;
  }
  return { bytes, rowCount };
}

export async function insertBlock(
  clickhouse: ClickHouseClient,
  test: string,
  names: readonly string[],
  bytes: Buffer,
): Promise<void> {
  await clickhouse.insert({
    table: `test_${test}`,
    values: Readable.from([Buffer.from(`${names.join(',')}\n`), bytes], { objectMode: false }),
    format: 'CSVWithNames',
    clickhouse_settings: {
      input_format_skip_unknown_fields: 1,
      input_format_csv_empty_as_default: 1,
      input_format_null_as_default: 1,
      format_csv_allow_single_quotes: 0,
      date_time_input_format: 'basic',
      // A file may contain years; each month is a partition.
      max_partitions_per_insert_block: '1000',
    },
  });
}
