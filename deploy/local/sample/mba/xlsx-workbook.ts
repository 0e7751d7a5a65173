import { zipArchive } from './zip-archive.ts';

/** An XLSX workbook with these sheets, by their names. Numbers are numeric cells, as in the FCC's workbooks. */
export function xlsxWorkbook(
  sheets: Readonly<Record<string, readonly (readonly string[])[]>>,
): Buffer {
  const names = Object.keys(sheets);
  const files = Object.values(sheets).map((rows, i) => [
    `xl/worksheets/sheet${i + 1}.xml`,
    `${xml}<worksheet xmlns="${main}"><sheetData>${rows.map(rowXml).join('')}</sheetData></worksheet>`,
  ]);
  return zipArchive({
    '[Content_Types].xml': contentTypes(['xl/workbook.xml', ...files.map(([name = '']) => name)]),
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names
      .map((name, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      names.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`]),
    ),
    ...(Object.fromEntries(files) as Record<string, string>),
  });
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Excel guesses the types of parts; openpyxl requires them. */
function contentTypes(parts: readonly string[]): string {
  const overrides = parts.map((part) => {
    const type = part.includes('worksheets') ? 'worksheet' : 'sheet.main';
    return `<Override PartName="/${part}" ContentType="${spreadsheet}.${type}+xml"/>`;
  });
  return `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`;
}

const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function relations(targets: readonly (readonly string[])[]): string {
  const all = targets.map(
    ([type, target], i) =>
      `<Relationship Id="rId${i + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`;
}

function rowXml(cells: readonly string[], i: number): string {
  const all = cells.map((cell, column) => {
    const place = `${columnLetters(column)}${i + 1}`;
    if (cell === '') return '';
    return /^-?\d+(\.\d+)?$/.test(cell)
      ? `<c r="${place}"><v>${cell}</v></c>`
      : `<c r="${place}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
  });
  return `<row r="${i + 1}">${all.join('')}</row>`;
}

/** 0 is A, 25 is Z, 26 is AA. */
function columnLetters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : columnLetters(Math.floor(column / 26) - 1) + letter;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
