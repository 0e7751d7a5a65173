import { Readable } from 'node:stream';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import type { Separator } from '../csv.ts';

/** Rows as CSV, with their columns. */
export interface InsertBlock {
  readonly names: readonly string[];
  readonly separator: Separator;
  readonly chunks: readonly Buffer[];
}

export async function insertBlock(
  clickhouse: ClickHouseClient,
  test: string,
  { names, separator, chunks }: InsertBlock,
  settings: ClickHouseSettings = {},
): Promise<void> {
  const header = Buffer.from(`${names.join(separator)}\n`);
  await clickhouse.insert({
    table: `test_${test}`,
    values: Readable.from([header, ...chunks], { objectMode: false }),
    format: 'CSVWithNames',
    clickhouse_settings: {
      ...csvSettings(separator),
      input_format_skip_unknown_fields: 1,
      // A file may contain years; each month is a partition.
      max_partitions_per_insert_block: '1000',
      ...settings,
    },
  });
}

/** How ClickHouse reads the rows. */
export function csvSettings(separator: Separator): ClickHouseSettings {
  return {
    format_csv_delimiter: separator,
    // Without it a tab is a space to skip; with it spaces are part of a field.
    input_format_csv_allow_whitespace_or_tab_as_delimiter: separator === '\t' ? 1 : 0,
    input_format_csv_empty_as_default: 1,
    input_format_null_as_default: 1,
    format_csv_allow_single_quotes: 0,
    date_time_input_format: 'basic',
  };
}
