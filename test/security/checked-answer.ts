import { conforms } from '../support/conforms.ts';
import type { Operation } from './contract.ts';
import type { Received } from './send.ts';

/** What is wrong with an answer by the contract, or by what no answer may have; undefined when nothing is. */
export async function wrongWith(
  operation: Operation,
  { status, headers, text }: Received,
): Promise<string | undefined> {
  const { document, method, path, statuses } = operation;
  if (status >= 500 && !alwaysFails(operation)) return `failed with ${status}: ${shortened(text)}`;
  if (!statuses.includes(status)) return `undocumented ${status}: ${shortened(text)}`;
  if (databaseWords.test(text) && status >= 400) return `a database's own words: ${text}`;
  if (!String(headers['content-type']).startsWith('application/json')) {
    // A file, or a part of one that is not there.
    return status < 400 || status === 416
      ? undefined
      : `${status} that is no JSON: ${shortened(text)}`;
  }
  try {
    // Which route it was is known: the names in braces are as good as any value.
    const sample = path.replaceAll(/[{}]/g, '');
    await conforms(document, method, sample, { status, body: JSON.parse(text) });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** The contract's own way to try out a failure. */
function alwaysFails({ id }: Operation): boolean {
  return id === 'getInternalServerError';
}

const databaseWords =
  /DB::|Code: \d+|ClickHouse|syntax error|invalid input syntax|relation "|column "|SQLSTATE|pg_catalog|\bat .*\.(js|ts):\d+/i;

function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
