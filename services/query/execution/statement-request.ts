import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { validationError } from '../../shared/errors/app-error.ts';
import type { ParamValue } from '../../shared/sql/expression.ts';
import { paramValues, type QueryParams } from '../../shared/sql/print-query.ts';
import { escapeText } from '../../shared/sql/quote.ts';

/** How a statement and its parameters are sent to ClickHouse's HTTP interface. */
interface StatementRequest {
  readonly query: string;
  readonly query_params?: Record<string, ParamValue>;
  readonly values?: Readable;
  readonly http_headers?: Readonly<Record<string, string>>;
}

/**
 * Short parameters are sent in the URL and the statement in the body. Long lists of values would exceed
 * the maximum length of a URL, so they are sent in a form, together with the statement:
 *
 *     --boundary
 *     Content-Disposition: form-data; name="param_isp"
 *
 *     ['Example Fibre','Example Cable']
 */
export function statementRequest(sql: string, params: QueryParams): StatementRequest {
  const fields = Object.entries(params).map(([name, { value }]) => field(name, value));
  const bytes = fields.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= maxUrlBytes) return { query: sql, query_params: paramValues(params) };
  rejectLongFields(sql, fields);
  const boundary = `netpanel-${randomUUID()}`;
  return {
    // With an empty statement, ClickHouse reads it from the form.
    query: '',
    values: Readable.from([formText([{ name: 'query', text: sql }, ...fields], boundary)]),
    http_headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  };
}

/** Percent-encoding triples the length at most. By default ClickHouse accepts 1 MiB. */
const maxUrlBytes = 64_000;

/** ClickHouse's http_max_field_value_size. */
const maxFieldBytes = 128 * 1024;

interface FormField {
  readonly name: string;
  readonly text: string;
}

function field(name: string, value: ParamValue): FormField & { readonly size: number } {
  const text = typeof value === 'object' ? `[${value.map(listed).join(',')}]` : escaped(value);
  return { name: `param_${name}`, text, size: name.length + Buffer.byteLength(text) };
}

function listed(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${escaped(value)}'`;
}

// As the ClickHouse client writes them: https://clickhouse.com/docs/interfaces/formats#tabseparated
function escaped(value: string | number): string {
  return escapeText(String(value), ["'", '\n', '\r', '\t']);
}

// Lists of values are split to fit. The statement is longer only with hundreds of filters.
function rejectLongFields(sql: string, fields: readonly { readonly size: number }[]): void {
  const longest = Math.max(Buffer.byteLength(sql), ...fields.map(({ size }) => size));
  if (longest < maxFieldBytes) return;
  throw validationError({
    filters: [
      `The filters are too long: a part of the query has ${longest} bytes, the maximum is ${maxFieldBytes}. Send fewer filters with more values each, or shorter values.`,
    ],
  });
}

function formText(fields: readonly FormField[], boundary: string): string {
  const parts = fields.map(
    ({ name, text }) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  return `${parts.join('')}--${boundary}--\r\n`;
}
