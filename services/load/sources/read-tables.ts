import { readFileSync } from 'node:fs';
import readWorkbook from 'read-excel-file/node';
import { detectSeparator, parseCsv } from '../../results/csv.ts';
import { detectEncoding } from '../input/text-encoding.ts';

/** A table of text, from a CSV file or from a sheet of a workbook. */
export interface Table {
  /** Name of the sheet; null for a CSV file. */
  readonly sheet: string | null;
  readonly rows: readonly (readonly string[])[];
}

/** The tables of a CSV file or an XLSX workbook, which are recognised by their first bytes. */
export async function readTables(path: string): Promise<readonly Table[]> {
  const bytes = readFileSync(path);
  const head = bytes.toString('latin1', 0, 4);
  if (head === 'PK\x03\x04') {
    const sheets = await readWorkbook(bytes);
    return sheets.map(({ sheet, data }) => ({ sheet, rows: data.map((row) => row.map(cellText)) }));
  }
  if (head === '\xd0\xcf\x11\xe0') {
    throw new Error('the file is an Excel 97-2003 workbook (.xls); save it as .xlsx or CSV');
  }
  const text = new TextDecoder(detectEncoding(bytes, true)).decode(bytes);
  return [csvTable(text)];
}

export function csvTable(text: string): Table {
  const [header = ''] = text.split(/\r|\n/, 1);
  return { sheet: null, rows: parseCsv(text, detectSeparator(header)) };
}

function cellText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
