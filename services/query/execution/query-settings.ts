import type { ClickHouseSettings } from '@clickhouse/client';

/** Limits per query. */
export interface QueryLimits {
  readonly queryTimeoutMs: number;
  readonly queryMemoryBytes: number;
  readonly queryThreads: number;
  readonly maxResultRows: number;
  readonly maxRowsToRead: number;
}

/** Sent with every query, because ClickHouse has no limits by default. */
export function querySettings(limits: QueryLimits): ClickHouseSettings {
  return {
    // Read-only; 2 because 1 would refuse the settings below. The server cancels a query on client
    // disconnect only if the query is read-only.
    readonly: '2',
    cancel_http_readonly_queries_on_client_close: 1,
    // 'break' instead of 'throw' would return a partial result without an error.
    max_execution_time: limits.queryTimeoutMs / 1000,
    timeout_overflow_mode: 'throw',
    max_result_rows: String(limits.maxResultRows),
    result_overflow_mode: 'throw',
    max_rows_to_read: String(limits.maxRowsToRead),
    read_overflow_mode: 'throw',
    max_memory_usage: String(limits.queryMemoryBytes),
    // Takes a third of the time to analyse a report, because it hashes the whole query for each AND. Our conditions do not
    // benefit.
    optimize_and_compare_chain: 0,
    // A query with few groups and many values per group finishes them on all cores, as one with many groups does.
    group_by_two_level_threshold_bytes: '1000000',
    ...(limits.queryThreads === 0 ? {} : { max_threads: limits.queryThreads }),
    ...jsonSettings,
  };
}

/** Rows in the exact form of our response, so that they are passed on without parsing. */
const jsonSettings = {
  output_format_json_quote_64bit_integers: 0,
  // inf and nan become null: JSON has no such numbers.
  output_format_json_quote_denormals: 0,
  output_format_json_escape_forward_slashes: 0,
} as const satisfies ClickHouseSettings;
