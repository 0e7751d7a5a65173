import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  asyncBufferFromFile,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
} from 'hyparquet';
import { HeaderError } from '../../results/columns/file-plan.ts';
import { unzstdSync } from '../../results/compression/unzstd.ts';
import { cellText, exactParsers, parquetColumns } from './parquet-cells.ts';
import type { SourceReader, SourceRow } from './source-rows.ts';

/**
 * Reads a Parquet file, at most 50,000 rows at a time and only the columns that the mapping reads.
 * Columns of nested records have a dot: `a.MinRTT`.
 */
export async function readParquetRows(
  path: string,
  reader: SourceReader,
  onBytes: (count: number) => void,
): Promise<void> {
  const bytes = await asyncBufferFromFile(path);
  const metadata = await readMetadata(bytes);
  const columns = parquetColumns(metadata);
  const wanted = new Set(reader.onColumns(columns.map(({ name }) => name)));
  const read = columns.map((column) => (wanted.has(column.name) ? column : undefined));
  const topLevel = [...new Set(read.flatMap((column) => column?.path[0] ?? []))];
  let line = 1;
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const groupEnd = groupStart + Number(group.num_rows);
    for (let rowStart = groupStart; rowStart < groupEnd; rowStart += windowRows) {
      const rowEnd = Math.min(rowStart + windowRows, groupEnd);
      const window = { file: bytes, metadata, columns: topLevel, rowStart, rowEnd };
      const objects = await readWindow(window, rowEnd - rowStart);
      for (let from = 0; from < objects.length; from += batchRows) {
        const rows = objects.slice(from, from + batchRows).map((object): SourceRow => {
          const cells = read.map((column) => column && cellText(object, column));
          const row = line++;
          return { line: row, row, cells, text: undefined };
        });
        await reader.onRows({ rows, unreadable: [] });
      }
    }
    groupStart = groupEnd;
    onBytes(Math.round(bytes.byteLength / metadata.row_groups.length));
  }
}

const windowRows = 50_000;
const batchRows = 5_000;

/** Compression of pages, besides Snappy, which hyparquet contains. */
const parquetCompressors: Compressors = {
  GZIP: (input) => gunzipSync(input),
  BROTLI: (input) => brotliDecompressSync(input),
  ZSTD: unzstdSync,
};

async function readMetadata(
  file: Awaited<ReturnType<typeof asyncBufferFromFile>>,
): Promise<FileMetaData> {
  if (file.byteLength === 0) throw new HeaderError('the file is empty (0 bytes)');
  try {
    return await parquetMetadataAsync(file, { geoparquet: false });
  } catch (error) {
    throw new HeaderError('not a complete Parquet file', { cause: error });
  }
}

async function readWindow(
  window: Pick<
    Parameters<typeof parquetReadObjects>[0],
    'file' | 'metadata' | 'columns' | 'rowStart' | 'rowEnd'
  >,
  rowCount: number,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  // A mapping of constants only reads no column.
  if (window.columns?.length === 0) return Array.from({ length: rowCount }, () => ({}));
  try {
    return await parquetReadObjects({
      ...window,
      compressors: parquetCompressors,
      parsers: exactParsers,
      // Bytes without a type are decoded with the other cells.
      utf8: false,
      geoparquet: false,
    });
  } catch (error) {
    throw new Error(
      `rows ${(window.rowStart ?? 0) + 1} to ${window.rowEnd} of the Parquet file cannot be read`,
      { cause: error },
    );
  }
}
