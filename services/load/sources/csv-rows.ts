import type { Readable } from 'node:stream';
import { detectSeparator, headerNames, parseCsv, type Separator } from '../../results/csv.ts';
import { HeaderError } from '../../results/columns/file-plan.ts';
import { endOfHeader, readBlocks } from '../../results/rows/read-blocks.ts';
import { RowScanner } from '../../results/rows/row-scanner.ts';
import type { SourceReader, SourceRow } from './source-rows.ts';

/** Reads a CSV file with other columns. Uses the scanner of netpanel's own files to find rows. */
export async function readCsvRows(content: Readable, reader: SourceReader): Promise<void> {
  let scanner: RowScanner | undefined;
  let separator: Separator = ',';
  await readBlocks(content, blockBytes, async (block) => {
    const { bytes, length, isLast } = block;
    let headerEnd = 0;
    if (scanner === undefined) {
      headerEnd = endOfHeader(block, blockBytes);
      const header = bytes.toString('utf8', 0, headerEnd);
      if (header.trim() === '') throw new HeaderError('the file is empty, or line 1 is blank');
      separator = detectSeparator(header);
      const names = headerNames(header, separator);
      reader.onColumns(names, separator);
      scanner = sourceScanner(names, separator);
    }
    const body = bytes.subarray(headerEnd);
    const scanned = scanner.scan(body, length - headerEnd, isLast);
    const rows: SourceRow[] = [];
    for (let i = 0; i < scanned.count; i++) {
      const text = body.toString('utf8', scanned.starts[i], scanned.ends[i]);
      const line = scanned.lines[i] ?? 0;
      rows.push({ line, row: line - 1, cells: cellsOf(text, separator), text });
    }
    const { multiline } = scanner.statistics;
    await reader.onRows({ rows, unreadable: scanned.rejected, multiline });
    return headerEnd + scanned.consumedBytes;
  });
}

/** Larger than the longest row. */
const blockBytes = 4 * 1024 ** 2;

/** Finds rows and counts their columns. The fields are checked after the mapping. */
function sourceScanner(names: readonly string[], separator: Separator): RowScanner {
  const shape = {
    names,
    separator,
    checks: [],
    isKey: [],
    timeColumn: -1,
    agentColumn: -1,
    minRowBytes: names.length,
  };
  return new RowScanner(shape, () => 0, 2);
}

function cellsOf(text: string, separator: Separator): readonly string[] {
  if (!text.includes('"')) return text.split(separator);
  return parseCsv(text, separator)[0] ?? [];
}
