import type { Readable } from 'node:stream';
import { readInput } from './input/input-files.ts';
import {
  formatOfFile,
  formatOfName,
  formatOfText,
  parquetNeedsFile,
  refuseParquet,
} from './input/input-format.ts';
import { openText, type TextInput } from './input/open-text.ts';
import type { LoadSettings } from './load-options.ts';
import type { LoadTarget } from './load-target.ts';
import { completeMapping } from './mapping/complete-mapping.ts';
import type { Mapping } from './mapping/compile-mapping.ts';
import type { InputFormat } from './mapping/mapping-file.ts';
import type { MappingSettings } from './mapping/mapping-options.ts';
import { MappedRows } from './mapping/mapped-rows.ts';
import { type LoadInput, mappedText } from './mapping/mapped-text.ts';
import { readCsvRows } from './sources/csv-rows.ts';
import { readNdjsonRows } from './sources/ndjson-rows.ts';
import { readParquetRows } from './sources/parquet-rows.ts';
import type { SourceReader } from './sources/source-rows.ts';

type InputTarget = Pick<LoadTarget, 'columns'> & {
  readonly ignore: readonly string[];
  readonly encoding: LoadSettings['encoding'];
  readonly mapping: MappingSettings;
};

interface OpenOptions {
  /** Counts the bytes of the file that were read. */
  readonly onBytes?: (count: number) => void;
  /** Called with the mapping of a file that has one, before its first row. */
  readonly onMapping?: (mapping: Mapping) => void;
}

/** A file, standard input, or an object of a bucket. */
export interface InputSource {
  /** For messages and the format. `-` is standard input. */
  readonly path: string;
  /** Whether the path is that of a file, which Parquet needs: its index is at the end. */
  readonly isFile: boolean;
  /** The bytes, as stored. */
  readonly open: () => Readable | Promise<Readable>;
}

export function localFile(path: string): InputSource {
  return { path, isFile: path !== '-', open: () => readInput(path) };
}

/** Opens a file as CSV text with the columns of the test. A CSV file without a mapping is not changed. */
export async function openInput(
  source: InputSource,
  target: InputTarget,
  { onBytes, onMapping }: OpenOptions = {},
): Promise<LoadInput> {
  const { format, text, textFormat, read } = await openSource(source, target, onBytes);
  const { file, columns } = target.mapping;
  const isMapped = file !== undefined || Object.keys(columns).length > 0;
  if (format === 'csv' && text !== undefined && !isMapped) return text;
  return mappedText(read, mappedRows(format, target, onMapping), textFormat);
}

/** Reads the rows of a file with the columns that it has. */
export async function readSource(
  source: InputSource,
  target: InputTarget,
  reader: SourceReader,
): Promise<void> {
  const { read } = await openSource(source, target);
  await read(reader);
}

interface Source {
  readonly format: InputFormat;
  /** undefined for Parquet. */
  readonly text: TextInput | undefined;
  readonly textFormat: TextInput['format'];
  readonly read: (reader: SourceReader) => Promise<void>;
}

async function openSource(
  { path, isFile, open }: InputSource,
  { mapping, encoding, columns }: InputTarget,
  onBytes: (count: number) => void = () => undefined,
): Promise<Source> {
  const known = mapping.format ?? (isFile ? formatOfFile(path) : formatOfName(path));
  if (known === 'parquet') {
    if (!isFile) throw parquetNeedsFile();
    const read = (reader: SourceReader) => readParquetRows(path, reader, onBytes);
    const textFormat = { encoding: 'utf-8', lineEnds: 'LF', isEmpty: false } as const;
    return { format: known, text: undefined, textFormat, read };
  }
  const raw = await open();
  if (!isFile) await refuseParquet(raw);
  const text = openText(raw, { encoding, onBytes });
  const format = known ?? (await formatOfText(text.content));
  const isColumn = (key: string) => columns.some(({ name }) => name === key.toLowerCase());
  const isRequired = mapping.file === undefined ? isColumn : () => false;
  const read = (reader: SourceReader) =>
    format === 'ndjson'
      ? readNdjsonRows(text.content, reader, isRequired)
      : readCsvRows(text.content, reader);
  return { format, text, textFormat: text.format, read };
}

function mappedRows(
  format: InputFormat,
  { mapping, columns: test, ignore }: InputTarget,
  onMapping: OpenOptions['onMapping'],
): MappedRows {
  return new MappedRows({
    format,
    mappingFor(columns) {
      const complete = completeMapping(mapping, columns, test, { ignore, format });
      onMapping?.(complete);
      return complete;
    },
  });
}
