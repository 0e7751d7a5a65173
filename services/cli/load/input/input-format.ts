import { closeSync, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { HeaderError } from '../../../results/columns/file-plan.ts';
import type { InputFormat } from '../mapping/mapping-file.ts';

/** The format of a file by its first bytes or its name; undefined when only its text can tell. */
export function formatOfFile(path: string): InputFormat | undefined {
  return startOf(path).equals(parquetMagic) ? 'parquet' : formatOfName(path);
}

export function formatOfName(path: string): InputFormat | undefined {
  const [, extension = ''] = /\.([a-z]+)(?:\.(?:gz|zst))?$/.exec(path.toLowerCase()) ?? [];
  return formatOfExtension[extension];
}

const formatOfExtension: Readonly<Record<string, InputFormat | undefined>> = {
  csv: 'csv',
  tsv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
};

const parquetMagic = Buffer.from('PAR1');

/** Empty for a file that cannot be read: reading its content reports why. */
function startOf(path: string): Buffer {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const start = Buffer.alloc(parquetMagic.length);
    return start.subarray(0, readSync(file, start));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Throws if a stream is a Parquet file: its index is at the end, so it must be a file. */
export async function refuseParquet(stream: Readable): Promise<void> {
  if ((await peek(stream)).subarray(0, 4).equals(parquetMagic)) {
    throw parquetNeedsFile();
  }
}

export function parquetNeedsFile(): HeaderError {
  return new HeaderError(
    'Parquet cannot be read from standard input or a bucket: save it as a file',
  );
}

/** NDJSON starts with an object; a header of CSV does not. */
export async function formatOfText(text: Readable): Promise<InputFormat> {
  const start = (await peek(text)).toString('utf8', 0, 1000);
  return start
    .replace(/^\uFEFF/, '')
    .trimStart()
    .startsWith('{')
    ? 'ndjson'
    : 'csv';
}

/** The next bytes of a stream, which stay in it; none at its end. */
async function peek(stream: Readable): Promise<Buffer> {
  if (stream.readableLength === 0 && !stream.readableEnded) {
    await new Promise<void>((resolve, reject) => {
      const end = (error?: Error) => {
        stream.off('readable', end).off('end', end).off('error', end);
        if (error === undefined) resolve();
        else reject(error);
      };
      stream.on('readable', end).on('end', end).on('error', end);
    });
  }
  const head = stream.read() as Buffer | null;
  if (head !== null) stream.unshift(head);
  return head ?? Buffer.alloc(0);
}
