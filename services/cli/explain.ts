import type { Explanation } from '../../openapi/client/index.ts';
import { parseOptions } from './arguments.ts';
import type { Command } from './command.ts';
import { printLine } from './print.ts';
import { connectionUsage, isTestQuery, queryClient } from './query-client.ts';
import { printError, printWarnings } from './query/print-result.ts';
import { inputOptions, inputValues, readInput } from './query/read-input.ts';
import { requestUsage, withRelativeTimes } from '../query/request/request-options.ts';

export const explainCommand: Command = {
  about: 'Print the SQL behind a request, ready to paste into a ClickHouse client',
  usage: `netpanel explain METRIC [options]
netpanel explain request.json [options]

Gets the SQL of a request for metric data or test data from the running query service. Prints it with inlined
values and an estimate of the rows that it reads. The options are those of netpanel query:

${requestUsage}

  --json                    the whole response
${connectionUsage}

  netpanel explain httpget --split isp --from 2026-11-01 --to 2026-11-07
  netpanel explain request.json | clickhouse client`,
  values: inputValues,

  async run(args) {
    const { values, positionals } = parseOptions(withRelativeTimes(args), {
      ...inputOptions,
      json: { type: 'boolean', default: false },
    });
    const { request, inWords } = await readInput(values, positionals);
    const client = queryClient(values);
    const { data, error } = isTestQuery(request)
      ? await client.POST('/test_data/explain', { body: request })
      : await client.POST('/metric_data/explain', { body: request });
    if (error !== undefined) return printError(error, inWords);
    printWarnings(data.warnings ?? [], inWords);
    printLine(values.json ? JSON.stringify(data.data, null, 2) : asSql(data.data));
    return 0;
  },
};

// The estimate is a comment, so the output can be piped into a client.
function asSql({ inlined, estimate }: Explanation): string {
  const { rows, bytes, parts, marks } = estimate;
  return `${inlined};\n-- Reads about ${rows} rows (${bytes} bytes, uncompressed) in ${marks} marks of ${parts} parts.`;
}
