/** Lines of CSV, each field quoted where it must be. */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(csvField).join(',')}\n`).join('');
}

export function quotedCsv(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function csvField(value: string | number | null): string {
  const text = String(value ?? '');
  return /[",\r\n]|^\s|\s$/.test(text) ? quotedCsv(text) : text;
}
