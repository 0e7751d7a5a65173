import { pipeline } from 'node:stream/promises';
import type { MetricQuery } from '../../openapi/client/index.ts';
import { aggregationKeys } from '../catalog/aggregations.ts';
import { methods } from '../catalog/methods.ts';
import { metrics } from '../catalog/metrics.ts';
import { parseOptions, rejectExtraArguments } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import {
  connectionOptions,
  connectionUsage,
  isTestQuery,
  queryClient,
  readRequest,
} from './query-client.ts';
import { flagWords } from './query/flag-words.ts';
import { printError, printResult, printWarnings } from './query/print-result.ts';
import { metricRequest, type RequestFlags, requestOptions } from './query/request-flags.ts';
import { resultRows } from './query/result-rows.ts';
import { type Format, sendRequest } from './query/send-request.ts';

const formats: readonly Format[] = ['table', 'csv', 'json'];

export const queryCommand: Command = {
  about: 'Query metric data: a table, CSV, JSON or a chart in the terminal',
  usage: `netpanel query METRIC [options]
netpanel query --file request.json [options]

  -a, --aggregation NAME    ${aggregationKeys.slice(0, 9).join(', ')},
                            ${aggregationKeys.slice(9).join(', ')}; default: daily
  --raw                     single results instead of aggregates
  -s, --split FIELD         one series per value, such as isp; repeat it, or separate fields by commas
  -f, --filter FIELD=VALUE  only this value; FIELD!=VALUE drops it. Repeat it: values of one field are alternatives,
                            and a result must match every field
  --from TIME, --to TIME    local time of the households, or -7 days, now, last monday; default: -7 days to now
  --days mon-fri            only these local weekdays
  --hours 19-22             only these local hours, here from 19:00 to 22:59
  --outside                 only results outside of --days and --hours
  --normalised              equal weight to every block of hours
  --no-prefilter            also implausible and unreliable results
  --household STATISTIC     one value per household first: mean, median, min, max, trimmedMean, p20 …
  --household-intervals     confidence intervals with households as the sample
  --relative-to FIELD       in percent of a custom field, such as custom.advertised_download
  --method NAME             ${methods.map(({ key }) => key).join(', ')}
  --min-agents N            no numbers for points of fewer agents
  --known-at TIME           metadata as it was recorded then
  --metric KEY              the same as METRIC

  --file FILE               the body of a request for metric data; - is standard input. Options replace its fields, and
                            there are no defaults
  --format table|csv|json   default: table on a terminal, csv otherwise. json is the response as the service sends it
  --columns A,B             columns of the table; default: splits, time and the usual statistics
  --chart                   a line of blocks per series; a bar per series with --aggregation total
${connectionUsage}

  netpanel query httpget --split isp --from 2026-11-01 --to 2026-11-07 --chart
  netpanel query httpget -a total -s isp,package -f country=GB --hours 19-22 --days mon-fri --household mean
  netpanel query --file request.json --format csv > result.csv

Colours are used on a terminal unless NO_COLOR is set. The exit code is 2 if the request is invalid.`,
  values: {
    '': metrics.map(({ key }) => key),
    '--metric': metrics.map(({ key }) => key),
    '--aggregation': aggregationKeys,
    '--format': formats,
    '--method': methods.map(({ key }) => key),
  },

  async run(args) {
    const { values, positionals } = parseOptions(withRelativeTimes(args), {
      ...requestOptions,
      ...connectionOptions,
      file: { type: 'string' },
      format: { type: 'string' },
      columns: { type: 'string' },
      chart: { type: 'boolean', default: false },
    });
    const flags = withMetric(values, positionals);
    const format = outputFormat(values.format, values.chart);
    const file = values.file === undefined ? undefined : await readFile(values.file);
    const request = metricRequest(flags, file);
    const inWords = (path: string) => flagWords(path, request, flags, values.file);
    rejectChartOfRawData(request, values.chart);

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
    });
    return 0;
  },
};

/** `--from "-7 days"` becomes `--from=-7 days`: Node takes a separate value with a dash for an option. */
function withRelativeTimes(args: readonly string[]): readonly string[] {
  return args.reduce<readonly string[]>((joined, arg) => {
    const last = joined.at(-1) ?? '';
    const isTime = /^-\d/.test(arg) && ['--from', '--to', '--known-at'].includes(last);
    return isTime ? [...joined.slice(0, -1), `${last}=${arg}`] : [...joined, arg];
  }, []);
}

const maxTableRows = 1_000;
const maxChartRows = 100_000;

function withMetric(flags: RequestFlags, [metric, ...more]: readonly string[]): RequestFlags {
  rejectExtraArguments(more);
  if (metric === undefined) return flags;
  if (flags.metric !== undefined) throw new UsageError('METRIC and --metric exclude each other');
  return { ...flags, metric };
}

function outputFormat(text: string | undefined, isChart: boolean): Format {
  if (isChart && text !== undefined)
    throw new UsageError('--chart and --format exclude each other');
  if (text === undefined) return isChart || process.stdout.isTTY ? 'table' : 'csv';
  const format = formats.find((name) => name === text);
  if (format !== undefined) return format;
  throw new UsageError(`--format must be ${formats.join(', ')}, not "${text}"`);
}

async function readFile(path: string): Promise<object> {
  const request: unknown = await readRequest(path);
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw new Error(`${path} must contain one JSON object, the body of a request`);
  }
  if (isTestQuery(request as MetricQuery)) {
    throw new Error(`${path} is a request for test data: use netpanel export`);
  }
  return request;
}

function rejectChartOfRawData({ chartType }: MetricQuery, isChart: boolean): void {
  if (isChart && chartType === 'raw') {
    throw new UsageError('--chart draws aggregates, not raw data: leave out --raw');
  }
}
