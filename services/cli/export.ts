import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Command, UsageError } from './command.ts';
import { type DataInterface, dataInterface, endpointOf, readRequest } from './data-interface.ts';
import { ProgressLine } from './progress-line.ts';

export const exportCommand: Command = {
  name: 'export',
  about: 'Save what a request asks for as a CSV or Parquet file',
  usage: `netpanel export [--format csv|csv.gz|parquet] request.json -o file.csv

Reads the body of a request for metric data or test data from a file, or from standard input when the
file is "-", lets the running query service make the file, and saves it. The file appears under its
name when it is whole; Ctrl-C cancels the export.

  netpanel export request.json -o january.csv

Reads QUERY_URL and DATA_TOKEN, and without the latter the demo organisation's token.`,

  async run(args) {
    const { path, output, format } = exportArguments(args);
    const request = await readRequest(path);
    const service = dataInterface();
    const endpoint = `/${endpointOf(request)}${format === undefined ? '.csv' : '_download'}`;
    const started = await service.ask<ExportStatus>('POST', endpoint, {
      body: { ...request, ...(format === undefined ? {} : { format }) },
      headers: { prefer: 'respond-async' },
    });
    const done = await finished(service, started);
    await save(done, output);
    process.stderr.write(`${output}: ${done.rows} rows, ${done.bytes} bytes\n`);
    return 0;
  },
};

interface ExportStatus {
  readonly rows: number;
  readonly bytes: number;
  /** Null where it cannot be told. */
  readonly percent: number | null;
  readonly id: string;
  readonly status: 'running' | 'done' | 'failed' | 'cancelled' | 'expired';
  readonly failure?: { readonly code: string; readonly message: string };
  readonly url?: string;
}

function exportArguments(args: readonly string[]) {
  const { values, positionals } = parsed(args);
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new UsageError('export takes one file');
  if (values.output === undefined) throw new UsageError('export needs -o FILE');
  return { path, output: values.output, format: values.format };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { output: { type: 'string', short: 'o' }, format: { type: 'string' } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function finished(service: DataInterface, started: ExportStatus): Promise<ExportStatus> {
  const path = `/exports/${started.id}`;
  const progress = new ProgressLine('export');
  let cancelling: Promise<unknown> | undefined;
  const cancel = () => {
    cancelling = service.ask('DELETE', path);
  };
  process.once('SIGINT', cancel);
  try {
    let current = started;
    while (current.status === 'running') {
      show(progress, current);
      await sleep(pollMs);
      await cancelling;
      current = await service.ask<ExportStatus>('GET', path);
    }
    if (current.status === 'done') return current;
    const { code, message } = current.failure ?? {
      code: 'CANCELLED',
      message: 'It was cancelled.',
    };
    throw new Error(`${code}: ${message}`);
  } finally {
    process.off('SIGINT', cancel);
    progress.end();
  }
}

const pollMs = 500;

function show(progress: ProgressLine, { rows, bytes, percent }: ExportStatus): void {
  progress.show(
    percent === null ? undefined : percent / 100,
    () => `${rows.toLocaleString('en')} rows, ${(bytes / 1e6).toFixed(1)} MB`,
  );
}

async function save({ url = '', bytes }: ExportStatus, output: string): Promise<void> {
  const partial = `${output}.partial`;
  try {
    const answer = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    if (!answer.ok || answer.body === null) throw new Error(`The link answered ${answer.status}`);
    const file = createWriteStream(partial);
    await pipeline(Readable.fromWeb(answer.body), file);
    if (file.bytesWritten !== bytes) {
      throw new Error(`The file has ${file.bytesWritten} bytes of ${bytes}`);
    }
    await rename(partial, output);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
