import { Readable } from 'node:stream';
import { hasColumn } from '../catalog/test-tables.ts';
import { readInput } from './input/input-files.ts';
import {
  formatOfFile,
  formatOfName,
  formatOfText,
  needsFile,
  peek,
  refuseBinary,
  type InputFormat,
} from './input/input-format.ts';
import { openText } from './input/open-text.ts';
import type { LoadTarget } from './blocks/load-target.ts';
import {
  checkTargets,
  completeMapping,
  hasMapping,
  type MappingSettings,
} from './mapping/complete-mapping.ts';
import type { Mapping } from './mapping/compile-mapping.ts';
import { type LoadInput, MappedRows, mappedText } from './mapping/mapped-rows.ts';
import { markColumns } from './mapping/gather-marks.ts';
import { checkPreset } from './check-preset.ts';
import { readCsvRows } from './sources/csv-rows.ts';
import { readNdjsonRows } from './sources/ndjson-rows.ts';
import { readParquetRows } from './sources/parquet-rows.ts';
import type { SourceReader } from './sources/source-rows.ts';
import { readXlsxRows } from './sources/xlsx-rows.ts';
import { HeaderError } from '../results/columns/file-plan.ts';
import { JsonArrayError, jsonArrayLines } from '../results/json/json-array-lines.ts';

type InputTarget = Pick<LoadTarget, 'test' | 'encoding'> & { readonly mapping: MappingSettings };

interface OpenOptions {
  /** Counts the bytes of the file that were read. */
  readonly onBytes?: (count: number) => void;
  /** Called with the mapping of a file that has one, before its first row and before and after it is checked. */
  readonly onMapping?: (mapping: Mapping, isChecked: boolean) => void;
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
  const isPlain = format === 'csv' && !hasMapping(target.mapping);
  if (isPlain && !(target.test === 'panel' && (await hasMarks(text.content)))) return text;
  return mappedText(read, mappedRows(format, target, onMapping), textFormat);
}

/** Whether a CSV file has columns such as download_mean_masked. */
async function hasMarks(content: Readable): Promise<boolean> {
  const [header = ''] = (await peek(content)).toString('utf8').toLowerCase().split('\n', 1);
  return markColumns.some((name) => header.includes(name));
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

async function openSource(
  { path, isFile, open }: InputSource,
  { mapping, encoding, test }: InputTarget,
  onBytes: (count: number) => void = () => undefined,
) {
  const known = mapping.format ?? (isFile ? formatOfFile(path) : formatOfName(path));
  if (known === 'parquet' || known === 'xlsx') {
    if (!isFile) throw needsFile(known);
    const readRows = known === 'parquet' ? readParquetRows : readXlsxRows;
    const read = (reader: SourceReader) => readRows(path, reader, onBytes);
    const textFormat = { encoding: 'utf-8', lineEnds: 'LF', isEmpty: false } as const;
    return { format: known, text: undefined, textFormat, read };
  }
  const raw = await open();
  if (!isFile) await refuseBinary(raw);
  const text = openText(raw, { encoding, onBytes });
  const format = known ?? (await formatOfText(text.content));
  const isColumn = (key: string) => hasColumn(test, key.toLowerCase());
  const isRequired = mapping.file === undefined ? isColumn : () => false;
  const read = (reader: SourceReader) => {
    if (format === 'csv') return readCsvRows(text.content, reader);
    if (format === 'ndjson') return readNdjsonRows(text.content, reader, isRequired);
    return readJsonDocument(text.content, reader, isRequired);
  };
  return { format, text, textFormat: text.format, read };
}

/** An array of objects, each of which is read as a line of NDJSON. */
async function readJsonDocument(
  content: Readable,
  reader: SourceReader,
  isRequired: (key: string) => boolean,
): Promise<void> {
  const lines = Readable.from(jsonArrayLines(content), { objectMode: false });
  try {
    await readNdjsonRows(lines, reader, isRequired);
  } catch (error) {
    if (!(error instanceof JsonArrayError)) throw error;
    throw new HeaderError(`not a JSON array of objects: ${error.message}`);
  }
}

function mappedRows(
  format: InputFormat,
  { mapping, test }: InputTarget,
  onMapping: OpenOptions['onMapping'],
): MappedRows {
  return new MappedRows({
    format,
    mappingFor(columns) {
      checkPreset(mapping, columns);
      const complete = completeMapping(mapping, columns, test, format);
      // A mapping that lacks columns can be saved, and completed in the file.
      onMapping?.(complete, false);
      checkTargets(complete, test);
      onMapping?.(complete, true);
      return complete;
    },
  });
}
