import { assertDocumented } from '../support/assert-documented.ts';
import type { Operation } from './contract.ts';
import type { RawResponse } from './send.ts';

/** How a response violates the contract or leaks database internals; undefined if it does not. */
export async function contractViolation(
  operation: Operation,
  { status, headers, text }: RawResponse,
): Promise<string | undefined> {
  const { document, method, path, statuses } = operation;
  if (status >= 500 && !alwaysFails(operation)) return `failed with ${status}: ${shortened(text)}`;
  if (!statuses.includes(status)) return `undocumented ${status}: ${shortened(text)}`;
  if (databaseMessage.test(text) && status >= 400) return `leaks a database message: ${text}`;
  if (!String(headers['content-type']).startsWith('application/json')) {
    // A file, or a byte range outside of it.
    return status < 400 || status === 416
      ? undefined
      : `${status} without JSON: ${shortened(text)}`;
  }
  try {
    // Parameter names serve as values: /exports/{id} is checked as /exports/id.
    const sample = path.replaceAll(/[{}]/g, '');
    await assertDocumented(document, { method, path: sample, status, body: JSON.parse(text) });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** The endpoint that returns 500 on purpose. */
function alwaysFails({ id }: Operation): boolean {
  return id === 'getInternalServerError';
}

const databaseMessage =
  /DB::|Code: \d+|ClickHouse|syntax error|invalid input syntax|relation "|column "|SQLSTATE|pg_catalog|\bat .*\.(js|ts):\d+/i;

function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
