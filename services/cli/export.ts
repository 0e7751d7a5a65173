import { open, rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Export, ExportFormat, QueryClient } from '../../openapi/client/index.ts';
import { parseOptions, required, singleArgument } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { ProgressLine } from './progress-line.ts';
import {
  connectionOptions,
  connectionUsage,
  type DataRequest,
  dataOf,
  isTestQuery,
  queryClient,
  readRequest,
} from './query-client.ts';

export const exportCommand: Command = {
  about: 'Save the results of a request as a CSV or Parquet file',
  usage: `netpanel export [--format csv|csv.gz|parquet] request.json -o file.csv

Reads the body of a request for metric data or test data from a file, or from standard input when the
file is "-", starts an export in the running query service, and saves its file. The file appears only
when complete. Ctrl-C cancels the export. With "-o -" it is written to standard output instead; the exit
code is 1 if it is incomplete.

  netpanel export request.json -o january.csv
  netpanel export request.json -o - | gzip > january.csv.gz

  -o, --output F   the file, or - for standard output
${connectionUsage}`,
  values: { '--format': ['csv', 'csv.gz', 'parquet'] },

  async run(args) {
    const { values, positionals } = parseOptions(args, {
      output: { type: 'string', short: 'o' },
      format: { type: 'string' },
      ...connectionOptions,
    });
    const path = singleArgument(positionals, 'FILE');
    const output = required(values.output, 'output');
    rejectBinaryOnTerminal(output, values.format);
    const request = await readRequest(path);
    const client = queryClient(values);
    const ready = await waitForExport(client, await startExport(client, request, values.format));
    await (output === '-' ? download(ready, process.stdout, { end: false }) : save(ready, output));
    const name = output === '-' ? 'standard output' : output;
    process.stderr.write(`${name}: ${ready.rows} rows, ${ready.bytes} bytes\n`);
    return 0;
  },
};

async function startExport(
  client: QueryClient,
  request: DataRequest,
  format: string | undefined,
): Promise<Export> {
  // With this header the response is an Export even when the file is ready at once.
  const params = { header: { Prefer: 'respond-async' } };
  if (format === undefined) {
    return dataOf<unknown>(
      isTestQuery(request)
        ? await client.POST('/test_data.csv', { body: request, params })
        : await client.POST('/metric_data.csv', { body: request, params }),
    ) as Export;
  }
  const download = { format: format as ExportFormat };
  return dataOf<unknown>(
    isTestQuery(request)
      ? await client.POST('/test_data_download', { body: { ...request, ...download }, params })
      : await client.POST('/metric_data_download', { body: { ...request, ...download }, params }),
  ) as Export;
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

function rejectBinaryOnTerminal(output: string, format = 'csv'): void {
  if (output === '-' && format !== 'csv' && process.stdout.isTTY) {
    throw new UsageError(`A ${format} file is binary: redirect standard output, or use -o FILE`);
  }
}
