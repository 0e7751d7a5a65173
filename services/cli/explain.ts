import { parseArgs } from 'node:util';
import { type Command, UsageError } from './command.ts';
import { dataInterface, endpointOf, readRequest } from './data-interface.ts';

export const explainCommand: Command = {
  name: 'explain',
  about: 'Print the SQL behind a request, ready to paste into a ClickHouse client',
  usage: `netpanel explain [--json] request.json

Reads the body of a request for metric data or test data from a file, or from standard input when the
file is "-", and asks the running query service what it would send to ClickHouse. Prints the SQL with
the values in it, and below it what it would read; with --json everything the service tells.

  netpanel explain request.json | clickhouse client -d netpanel

Reads QUERY_URL and DATA_TOKEN, and without the latter the demo organisation's token.`,

  async run(args) {
    const { asJson, path } = explainArguments(args);
    const request = await readRequest(path);
    const explanation = await dataInterface().ask<Explanation>(
      'POST',
      `/${endpointOf(request)}/explain`,
      { body: request },
    );
    process.stdout.write(asJson ? `${JSON.stringify(explanation, null, 2)}\n` : asSql(explanation));
    return 0;
  },
};

interface Explanation {
  readonly inlined: string;
  readonly estimate: Readonly<Record<string, number>>;
}

function explainArguments(args: readonly string[]) {
  const { values, positionals } = parsed(args);
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new UsageError('explain takes one file');
  return { asJson: values.json, path };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

// The estimate is a comment, so that the whole output can be piped into a client.
function asSql({ inlined, estimate }: Explanation): string {
  const { rows = 0, bytes = 0, parts = 0, marks = 0 } = estimate;
  return `${inlined};\n-- Reads about ${rows} rows (${bytes} bytes, uncompressed) in ${marks} marks of ${parts} parts.\n`;
}
