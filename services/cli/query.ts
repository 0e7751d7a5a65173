import { pipeline } from 'node:stream/promises';
import type {
  ErrorResponse,
  MetricQuery,
  QueryClient,
  Warning,
} from '../../openapi/client/index.ts';
import { oneOf, parseOptions } from './arguments.ts';
import type { Command } from './command.ts';
import { UsageError } from '../shared/errors/usage-error.ts';
import { connectionUsage, isTestQuery, queryClient } from './query-client.ts';
import { printError, printResult, printWarnings } from './query/print-result.ts';
import { inputOptions, inputValues, readInput } from './query/read-input.ts';
import { requestUsage, withRelativeTimes } from '../query/request/request-options.ts';
import { resultRows } from './query/result-rows.ts';
import { Readable } from 'node:stream';

const formats: readonly Format[] = ['table', 'csv', 'json'];

export const queryCommand: Command = {
  about: 'Query metric data: a table, CSV, JSON or a chart in the terminal',
  usage: `netpanel query METRIC [options]
netpanel query --file request.json [options]

${requestUsage}

  --format table|csv|json   default: table on a terminal, csv otherwise. json is the response as the service sends it
  --columns A,B             columns of the table; default: splits, time and the usual statistics
  --chart                   a line of blocks per series; a bar per series with --aggregation total
${connectionUsage}

  netpanel query httpget --split isp --from 2026-11-01 --to 2026-11-07 --chart
  netpanel query httpget -a total -s isp,package -f country=GB --hours 19-22 --days mon-fri --household mean
  netpanel query httpget --split isp --from 2025-11-01 --to 2025-11-30 --compare-time 2025-10-01/2025-10-31
  netpanel query --file request.json --format csv > result.csv

With a comparison the table is followed by a sentence per series. A difference is called significant if its p, adjusted
if several were tested, is below 0.05. The sentences are only in the table format.

Colours are used on a terminal unless NO_COLOR is set. The exit code is 2 if the request is invalid.`,
  values: { ...inputValues, '--format': formats },

  async run(args) {
    const { values, positionals } = parseOptions(withRelativeTimes(args), {
      ...inputOptions,
      format: { type: 'string' },
      columns: { type: 'string' },
      chart: { type: 'boolean', default: false },
    });
    const format = outputFormat(values.format, values.chart);
    const { request, inWords } = await readInput(values, positionals);
    if (isTestQuery(request)) {
      throw new UsageError('this is a request for test data: use netpanel export');
    }
    if (values.chart) rejectChart(request);

    const client = queryClient(values);
    const response = await sendRequest(client, request, format);
    if ('error' in response) return printError(response.error, inWords);
    printWarnings(response.warnings, inWords);
    if (format !== 'table') {
      await pipeline(response.body, process.stdout, { end: false });
      return 0;
    }
    const result = await resultRows(response.body, values.chart ? maxChartRows : maxTableRows);
    await printResult(client, request, result, {
      columns: values.columns?.split(',').map((column) => column.trim()),
      isChart: values.chart,
      isExplained: response.warnings.some(({ code }) => code === 'NO_RESULTS'),
    });
    return 0;
  },
};

const maxTableRows = 1_000;
const maxChartRows = 100_000;

function outputFormat(text: string | undefined, isChart: boolean): Format {
  if (isChart && text !== undefined)
    throw new UsageError('--chart and --format exclude each other');
  if (text === undefined) return isChart || process.stdout.isTTY ? 'table' : 'csv';
  return oneOf(text, formats, '--format');
}

function rejectChart({ chartType, compare }: MetricQuery): void {
  if (chartType === 'raw') {
    throw new UsageError('--chart draws aggregates, not raw data: leave out --raw');
  }
  if (compare) {
    throw new UsageError(
      '--chart does not draw comparisons: leave it out to get a table with sentences',
    );
  }
}

const types = {
  table: 'application/x-ndjson',
  csv: 'text/csv',
  json: 'application/json',
} as const satisfies Record<string, string>;

export type Format = keyof typeof types;

type Sent =
  | { readonly error: ErrorResponse }
  | { readonly body: Readable; readonly warnings: readonly Warning[] };

/** The response as a stream, in the format of the output. */
export async function sendRequest(
  client: QueryClient,
  body: MetricQuery,
  format: Format,
): Promise<Sent> {
  const { data, error, response } = await client.POST('/metric_data', {
    body,
    headers: { Accept: types[format] },
    parseAs: 'stream',
  });
  if (error !== undefined) return { error };
  // openapi-fetch has no stream for an empty body, although its types say so.
  const stream = data as typeof data | undefined;
  // In JSON the warnings are part of the response.
  const warnings = response.headers.get('Netpanel-Warnings') ?? '[]';
  return {
    body: stream ? Readable.fromWeb(stream) : Readable.from([]),
    warnings: JSON.parse(warnings) as Warning[],
  };
}
