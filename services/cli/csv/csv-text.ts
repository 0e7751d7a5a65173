/** CSV lines. Fields are quoted only where necessary. */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(csvField).join(',')}\n`).join('');
}

function csvField(value: string | number | null): string {
  const text = String(value ?? '');
  return /[",\r\n]|^\s|\s$|^\\N$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
