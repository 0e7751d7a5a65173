import { parseCsv, type Separator } from '../csv/parse-csv.ts';

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
