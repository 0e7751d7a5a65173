import type { ClickHouseSettings } from '@clickhouse/client';

/** What one query may cost. */
export interface QueryLimits {
  readonly queryTimeoutMs: number;
  readonly queryMemoryBytes: number;
  readonly queryThreads: number;
  readonly maxResultRows: number;
  readonly maxRowsToRead: number;
}

/** Sent with every query, since ClickHouse has no limits of its own unless told. */
export function querySettings(limits: QueryLimits): ClickHouseSettings {
  return {
    // Reads only; 2 and not 1, which would refuse the settings below. It is also what lets the
    // server stop a query whose caller has gone.
    readonly: '2',
    cancel_http_readonly_queries_on_client_close: 1,
    // 'break' instead of 'throw' would return part of the answer as if it were all.
    max_execution_time: limits.queryTimeoutMs / 1000,
    timeout_overflow_mode: 'throw',
    max_result_rows: String(limits.maxResultRows),
    result_overflow_mode: 'throw',
    max_rows_to_read: String(limits.maxRowsToRead),
    read_overflow_mode: 'throw',
    max_memory_usage: String(limits.queryMemoryBytes),
    ...(limits.queryThreads === 0 ? {} : { max_threads: limits.queryThreads }),
    ...jsonSettings,
  };
}

/** Rows in the exact form of the answer, so that nobody has to parse them. */
const jsonSettings = {
  output_format_json_quote_64bit_integers: 0,
  // inf and nan are null, which JSON has, and not themselves, which it has not.
  output_format_json_quote_denormals: 0,
  output_format_json_escape_forward_slashes: 0,
  // An error within an answer is reported by its marker, never as a row that looks like data.
  http_write_exception_in_output_format: 0,
} as const satisfies ClickHouseSettings;
