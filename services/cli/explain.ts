import type { Explanation } from '../../openapi/client/index.ts';
import { parseOptions, singleArgument } from './arguments.ts';
import type { Command } from './command.ts';
import { printLine } from './print-line.ts';
import {
  connectionOptions,
  connectionUsage,
  dataOf,
  isTestQuery,
  queryClient,
  readRequest,
} from './query-client.ts';

export const explainCommand: Command = {
  about: 'Print the SQL behind a request, ready to paste into a ClickHouse client',
  usage: `netpanel explain [--json] request.json

Reads the body of a request for metric data or test data from a file, or from standard input when the
file is "-", and gets its SQL from the running query service. Prints the SQL with inlined values and an
estimate of the rows it reads; with --json the whole response.

  netpanel explain request.json | clickhouse client -d netpanel

${connectionUsage}`,

  async run(args) {
    const { values, positionals } = parseOptions(args, {
      json: { type: 'boolean', default: false },
      ...connectionOptions,
    });
    const request = await readRequest(singleArgument(positionals, 'FILE'));
    const client = queryClient(values);
    const explanation = dataOf(
      isTestQuery(request)
        ? await client.POST('/test_data/explain', { body: request })
        : await client.POST('/metric_data/explain', { body: request }),
    );
    printLine(values.json ? JSON.stringify(explanation, null, 2) : asSql(explanation));
    return 0;
  },
};

// The estimate is a comment, so the output can be piped into a client.
function asSql({ inlined, estimate }: Explanation): string {
  const { rows, bytes, parts, marks } = estimate;
  return `${inlined};\n-- Reads about ${rows} rows (${bytes} bytes, uncompressed) in ${marks} marks of ${parts} parts.`;
}
