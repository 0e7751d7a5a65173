/**
 * Parses CSV files that fit into memory: unit profiles, agents, headers; not results. A byte-order
 * mark and blank lines are dropped.
 */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.replace(/^\uFEFF/, '').matchAll(fields)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}

/** Rows as objects with the columns of the header as keys; `name` maps a header to its key. */
export function parseCsvRecords(
  text: string,
  name: (header: string) => string = (header) => header,
): Record<string, string>[] {
  const [header = [], ...rows] = parseCsv(text);
  const names = header.map((title) => name(title.trim()));
  return rows.map((row) => Object.fromEntries(names.map((key, i) => [key, row[i] ?? ''])));
}

// "quoted, with ""quotes""" or plain text, followed by a comma, a line end or the end of the text.
const fields = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|\r|$)/g;
