import { statSync } from 'node:fs';
import { HeaderError } from '../../results/columns/file-plan.ts';
import { readTables, type Table } from './read-tables.ts';
import { MappingError } from '../mapping-error.ts';
import type { SourceReader } from './source-rows.ts';

/**
 * Reads the first sheet of an XLSX workbook whose columns fit. The header is the first line of a sheet with two cells or
 * more, so that title lines may come before it. The workbook is in memory as a whole.
 */
export async function readXlsxRows(
  path: string,
  reader: SourceReader,
  onBytes: (count: number) => void,
): Promise<void> {
  const sheets = await readTables(path).catch((error: unknown) => {
    throw new HeaderError('not a complete XLSX workbook', { cause: error });
  });
  const { rows, header } = openSheet(sheets, reader);
  for (let from = header + 1; from < rows.length; from += batchRows) {
    const batch = rows.slice(from, from + batchRows).flatMap((cells, i) => {
      const row = from + i - header;
      return cells.some((cell) => cell !== '')
        ? [{ line: from + i + 1, row, cells, text: undefined }]
        : [];
    });
    await reader.onRows({ rows: batch, unreadable: [] });
  }
  onBytes(statSync(path).size);
}

const batchRows = 5_000;

/** Throws a HeaderError that says what is wrong with each sheet. */
function openSheet(
  sheets: readonly Table[],
  reader: SourceReader,
): { readonly rows: Table['rows']; readonly header: number } {
  const problems: string[] = [];
  for (const { sheet, rows } of sheets) {
    const header = rows.findIndex((cells) => cells.filter((cell) => cell !== '').length > 1);
    try {
      if (header === -1) throw new HeaderError('no line has two cells');
      reader.onColumns((rows[header] ?? []).map((name) => name.trim()));
      return { rows, header };
    } catch (error) {
      if (!(error instanceof HeaderError || error instanceof MappingError)) throw error;
      problems.push(`sheet ${JSON.stringify(sheet)}: ${error.message}`);
    }
  }
  throw new HeaderError(problems.join('\n'));
}
