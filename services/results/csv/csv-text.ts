import type { Separator } from './parse-csv.ts';

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
