export type Separator = ',' | ';' | '\t';

/**
 * Parses CSV files that fit into memory: unit profiles, agents, headers; not results. A byte-order
 * mark and blank lines are dropped.
 */
export function parseCsv(text: string, separator: Separator = ','): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const fields = fieldsOf[separator];
  for (const [, quoted, plain, end] of text.replace(/^\uFEFF/, '').matchAll(fields)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === separator) continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}

// "quoted, with ""quotes""" or plain text, followed by a separator, a line end or the end of the text.
const fieldsOf: Readonly<Record<Separator, RegExp>> = {
  ',': /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|\r|$)/g,
  ';': /(?:"((?:[^"]|"")*)"|([^;\r\n]*))(;|\r?\n|\r|$)/g,
  '\t': /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r?\n|\r|$)/g,
};

/** CSV lines. Fields are quoted only where necessary. */
export function csvText(
  rows: readonly (readonly (string | number | null)[])[],
  separator: Separator = ',',
): string {
  return rows
    .map((row) => `${row.map((value) => csvField(value, separator)).join(separator)}\n`)
    .join('');
}

function csvField(value: string | number | null, separator: Separator): string {
  const text = String(value ?? '');
  return /["\r\n]|^\s|\s$|^\\N$/.test(text) || text.includes(separator)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/** For messages. */
export const separatorNames: Readonly<Record<Separator, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
};

/** The column names of a file. */
export interface Header {
  readonly titles: readonly string[];
  /** The first line of the file is data. */
  readonly isMissing: boolean;
}

/** The separator of a header line: the most frequent one outside quotes. */
export function detectSeparator(headerLine: string): Separator {
  const plain = headerLine.replace(/"(?:[^"]|"")*"/g, '');
  const count = (separator: Separator) => plain.split(separator).length - 1;
  const [first] = ([',', ';', '\t'] as const).toSorted((a, b) => count(b) - count(a));
  return first ?? ',';
}

/** The column names of a header line, without byte-order mark and surrounding spaces. */
export function headerNames(line: string, separator: Separator): readonly string[] {
  return (parseCsv(line, separator)[0] ?? []).map((name) => name.trim());
}
