import { closeSync, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { HeaderError } from '../../results/columns/file-plan.ts';

export const inputFormats = ['csv', 'ndjson', 'json', 'parquet', 'xlsx'] as const;
export type InputFormat = (typeof inputFormats)[number];

/** The format of a file by its first bytes or its name; undefined when only its text can tell. */
export function formatOfFile(path: string): InputFormat | undefined {
  return binaryFormat(startOf(path)) ?? formatOfName(path);
}

function binaryFormat(start: Buffer): InputFormat | undefined {
  if (start.equals(parquetMagic)) return 'parquet';
  if (start.equals(zipMagic)) return 'xlsx';
  if (!start.equals(xlsMagic)) return undefined;
  throw new HeaderError('an Excel 97-2003 workbook (.xls): save it as .xlsx or CSV');
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
  xlsx: 'xlsx',
};

const parquetMagic = Buffer.from('PAR1');
const zipMagic = Buffer.from('PK\x03\x04');
const xlsMagic = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/** Empty for a file that cannot be read: reading its content reports why. */
export function startOf(path: string): Buffer {
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

/** Throws if a stream is a Parquet or XLSX file: their index is at the end, so they must be files. */
export async function refuseBinary(stream: Readable): Promise<void> {
  const format = binaryFormat((await peek(stream)).subarray(0, 4));
  if (format !== undefined) throw needsFile(format);
}

export function needsFile(format: InputFormat): HeaderError {
  const name = format === 'parquet' ? 'Parquet' : 'XLSX';
  return new HeaderError(
    `${name} cannot be read from standard input or a bucket: save it as a file`,
  );
}

/** NDJSON starts with an object, a JSON document with an array; a header of CSV does not. */
export async function formatOfText(text: Readable): Promise<InputFormat> {
  const start = (await peek(text))
    .toString('utf8', 0, 1000)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start.startsWith('{')) return 'ndjson';
  return start.startsWith('[') ? 'json' : 'csv';
}

/** The next bytes of a stream, which stay in it; none at its end. */
export async function peek(stream: Readable): Promise<Buffer> {
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
