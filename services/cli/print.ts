export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A printable value. */
export type Listed = string | number | Date | null;

/** Prints rows as an aligned table, or as JSON for programs. */
export function printList(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, Listed>>[],
  asJson: boolean,
): void {
  if (asJson) {
    const shown = rows.map((row) => Object.fromEntries(columns.map((key) => [key, row[key]])));
    process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    return;
  }
  const table = [columns, ...rows.map((row) => columns.map((key) => text(row[key] ?? null)))];
  const widths = columns.map((_, i) => Math.max(...table.map((line) => line[i]?.length ?? 0)));
  const lines = table.map((line) =>
    line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  process.stdout.write(`${lines.join('\n')}\n`);
}

function text(value: Listed): string {
  if (value === null) return '-';
  return value instanceof Date ? value.toISOString().slice(0, 19).replace('T', ' ') : String(value);
}
