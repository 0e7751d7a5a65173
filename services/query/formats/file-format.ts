import type { ClickHouseSettings } from '@clickhouse/client';
import { AppError, type FieldErrors, validationError } from '../../shared/errors/app-error.ts';
import { isObject } from '../request/request-body.ts';

export const exportFormats = ['csv', 'csv.gz', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const contentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  'csv.gz': 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
};

/** The ClickHouse format and its settings. */
export function outputFormat(format: ExportFormat): {
  readonly format: 'CSVWithNames' | 'Parquet';
  readonly settings: ClickHouseSettings;
} {
  return format === 'parquet'
    ? { format: 'Parquet', settings: parquetSettings }
    : { format: 'CSVWithNames', settings: csvSettings };
}

// RFC 4180 with LF: texts in double quotes, a quote is doubled, numbers without quotes, nulls empty.
const csvSettings: ClickHouseSettings = {
  format_csv_delimiter: ',',
  format_csv_null_representation: '',
  output_format_csv_crlf_end_of_line: 0,
};

const parquetSettings: ClickHouseSettings = {
  // Without it, some readers show texts as bytes.
  output_format_parquet_string_as_string: 1,
};

/** Parses a body of the `_download` endpoints: its `format`, and the rest with `parse`. */
export async function withFormat<T>(
  body: unknown,
  parse: (request: unknown) => Promise<T>,
): Promise<{ readonly format: ExportFormat; readonly parsed: T }> {
  if (!isObject(body)) return { format: 'csv', parsed: await parse(body) };
  const { format: named, ...request } = body;
  const format = exportFormats.find((candidate) => candidate === (named ?? 'csv'));
  if (format !== undefined) return { format, parsed: await parse(request) };
  throw validationError({
    ...(await problemsOf(() => parse(request))),
    format: [`Send one of: ${exportFormats.join(', ')}.`],
  });
}

// The other problems of the request, so that all are reported at once.
async function problemsOf(parse: () => Promise<unknown>): Promise<FieldErrors> {
  try {
    await parse();
    return {};
  } catch (error) {
    if (error instanceof AppError && error.errors !== undefined) return error.errors;
    throw error;
  }
}
