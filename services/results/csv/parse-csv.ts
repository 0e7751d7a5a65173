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
