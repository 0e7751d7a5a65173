/**
 * The rows of a CSV text, for files that fit into memory: unit profiles, lists of agents, headers.
 * Results never pass through here. A byte-order mark and blank lines are dropped.
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

/** Rows as objects by the names of the first row, which are passed through `name` before. */
export function parseCsvRecords(
  text: string,
  name: (header: string) => string = (header) => header,
): Record<string, string>[] {
  const [header = [], ...rows] = parseCsv(text);
  const names = header.map((title) => name(title.trim()));
  return rows.map((row) => Object.fromEntries(names.map((key, i) => [key, row[i] ?? ''])));
}

// "quoted, with ""quotes""" or plain text, and what ends it: a comma, a line end or the end of all.
const fields = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|\r|$)/g;
