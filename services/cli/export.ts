import { open, rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Export, ExportFormat, QueryClient } from '../../openapi/client/index.ts';
import { oneOf, parseOptions, required } from './arguments.ts';
import type { Command } from './command.ts';
import { UsageError } from '../shared/errors/usage-error.ts';
import { printNote } from './print.ts';
import { ProgressLine } from '../shared/progress-line.ts';
import {
  connectionUsage,
  type DataRequest,
  dataOf,
  isTestQuery,
  queryClient,
} from './query-client.ts';
import { printError, printWarnings } from './query/print-result.ts';
import { inputOptions, inputValues, readInput } from './query/read-input.ts';
import { requestUsage, withRelativeTimes } from '../query/request/request-options.ts';

const formats: readonly ExportFormat[] = ['csv.gz', 'csv', 'parquet'];

export const exportCommand: Command = {
  about: 'Save the results of a request as a CSV or Parquet file',
  usage: `netpanel export METRIC [options] -o file.csv
netpanel export request.json [options] -o file.parquet

Starts an export of metric data or test data in the running query service, and saves its file. The file appears only
when complete. Ctrl-C cancels the export. With "-o -" it is written to standard output instead; the exit code is 1
if it is incomplete.

  -o, --output FILE         the file, or - for standard output. Its suffix is the format: .csv, .csv.gz or .parquet
  --format FORMAT           csv, csv.gz or parquet, for standard output and files with another suffix

The other options are those of netpanel query:

${requestUsage}
${connectionUsage}

  netpanel export httpget --raw --from 2026-11-01 --to 2026-11-30 -o november.parquet
  netpanel export request.json -o january.csv`,
  values: { ...inputValues, '--format': formats },

  async run(args) {
    const { values, positionals } = parseOptions(withRelativeTimes(args), {
      ...inputOptions,
      output: { type: 'string', short: 'o' },
      format: { type: 'string' },
    });
    const { request, inWords } = await readInput(values, positionals);
    const output = required(values.output, 'output');
    const format = formatOf(output, values.format);
    rejectBinaryOnTerminal(output, format);
    const client = queryClient(values);
    const { data, error } = await startExport(client, request, format);
    if (error !== undefined) return printError(error, inWords);
    printWarnings(data.warnings ?? [], inWords);
    // With `Prefer: respond-async` the response is an Export even when the file is ready at once.
    const ready = await waitForExport(client, data.data as Export);
    await (output === '-' ? download(ready, process.stdout, { end: false }) : save(ready, output));
    const name = output === '-' ? 'standard output' : output;
    printNote(`${name}: ${ready.rows} rows, ${ready.bytes} bytes`);
    return 0;
  },
};

/** The format that the suffix of the file names, or --format. They must not contradict each other. */
function formatOf(output: string, given: string | undefined): ExportFormat {
  const named = given === undefined ? undefined : oneOf(given, formats, '--format');
  const all = formats.map((format) => `.${format}`).join(', ');
  const [suffix = ''] = /\.[^./\\]+$/.exec(output) ?? [];
  const ofFile = formats.find((format) => output.toLowerCase().endsWith(`.${format}`));
  if (ofFile !== undefined && named !== undefined && ofFile !== named) {
    throw new UsageError(`--format ${named} contradicts the file ${output}: leave out --format`);
  }
  if (ofFile === undefined && named === undefined && suffix !== '') {
    throw new UsageError(`-o ${output}: ${suffix} is not a format. Use ${all}, or --format`);
  }
  return ofFile ?? named ?? 'csv';
}

async function startExport(client: QueryClient, request: DataRequest, format: ExportFormat) {
  const params = { header: { Prefer: 'respond-async' } };
  // The query service serves a CSV file itself; the others come from the object store.
  if (format === 'csv') {
    return isTestQuery(request)
      ? client.POST('/test_data.csv', { body: request, params })
      : client.POST('/metric_data.csv', { body: request, params });
  }
  return isTestQuery(request)
    ? client.POST('/test_data_download', { body: { ...request, format }, params })
    : client.POST('/metric_data_download', { body: { ...request, format }, params });
}

async function waitForExport(client: QueryClient, started: Export): Promise<Export> {
  const params = { path: { id: started.id } };
  const progress = new ProgressLine('export');
  let cancelling: Promise<unknown> | undefined;
  const cancel = () => {
    cancelling = client.DELETE('/exports/{id}', { params }).then(dataOf);
  };
  process.once('SIGINT', cancel);
  try {
    let current = started;
    while (current.status === 'running') {
      show(progress, current);
      await sleep(pollMs);
      await cancelling;
      current = dataOf(await client.GET('/exports/{id}', { params }));
    }
    if (current.status === 'ready') return current;
    const { code, message } = current.failure ?? {
      code: 'CANCELLED',
      message: 'The export was cancelled.',
    };
    throw new Error(`${code}: ${message}`);
  } finally {
    process.off('SIGINT', cancel);
    progress.end();
  }
}

const pollMs = 500;

function show(progress: ProgressLine, { rows, bytes, percent }: Export): void {
  progress.show(
    percent === null ? undefined : percent / 100,
    () => `${rows.toLocaleString('en')} rows, ${(bytes / 1e6).toFixed(1)} MB`,
  );
}

async function save(ready: Export, output: string): Promise<void> {
  const partial = `${output}.partial`;
  // Opened before the download, so that a missing folder is reported and not an uncaught error of the stream.
  const file = await open(partial, 'w');
  try {
    await download(ready, file.createWriteStream(), { end: true });
    await rename(partial, output);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function download(
  { url = '', bytes }: Export,
  target: Writable,
  options: { readonly end: boolean },
): Promise<void> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  if (!response.ok || response.body === null) {
    throw new Error(`The download failed with status ${response.status}`);
  }
  let received = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      received += chunk.length;
      yield chunk;
    }
  };
  await pipeline(Readable.fromWeb(response.body), counted, target, options);
  if (received !== bytes) {
    throw new Error(`The download is incomplete: ${received} of ${bytes} bytes`);
  }
}

function rejectBinaryOnTerminal(output: string, format: ExportFormat): void {
  if (output === '-' && format !== 'csv' && process.stdout.isTTY) {
    throw new UsageError(`A ${format} file is binary: redirect standard output, or use -o FILE`);
  }
}
