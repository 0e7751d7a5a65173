import { readInput } from './input/input-files.ts';
import { formatOfFile, formatOfText, refuseParquet } from './input/input-format.ts';
import { openText } from './input/open-text.ts';
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

/** Opens a file as CSV text with the columns of the test. A CSV file without a mapping is not changed. */
export async function openInput(
  path: string,
  target: InputTarget,
  { onBytes = () => undefined, onMapping }: OpenOptions = {},
): Promise<LoadInput> {
  const { mapping, encoding } = target;
  const known = mapping.format ?? formatOfFile(path);
  if (known === 'parquet') {
    if (path === '-')
      throw new Error('Parquet cannot be read from standard input: save it as a file');
    const mapped = mappedRows('parquet', target, onMapping);
    return mappedText((reader) => readParquetRows(path, reader, onBytes), mapped, {
      encoding: 'utf-8',
      lineEnds: 'LF',
      isEmpty: false,
    });
  }
  const raw = readInput(path);
  if (path === '-') await refuseParquet(raw);
  const text = openText(raw, { encoding, onBytes });
  const format = known ?? (await formatOfText(text.content));
  if (format === 'ndjson') {
    const isColumn = (key: string) => target.columns.some(({ name }) => name === key.toLowerCase());
    const isRequired = mapping.file === undefined ? isColumn : () => false;
    const mapped = mappedRows('ndjson', target, onMapping);
    return mappedText(
      (reader) => readNdjsonRows(text.content, reader, isRequired),
      mapped,
      text.format,
    );
  }
  if (mapping.file === undefined && Object.keys(mapping.columns).length === 0) return text;
  const mapped = mappedRows('csv', target, onMapping);
  return mappedText((reader) => readCsvRows(text.content, reader), mapped, text.format);
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
