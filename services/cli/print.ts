import { displayWidth } from './terminal/display-width.ts';

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** To standard error: standard output has only the result of a command, for scripts. */
export function printNote(line: string): void {
  process.stderr.write(`${line}\n`);
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
    printLine(JSON.stringify(shown, null, 2));
    return;
  }
  const table = [columns, ...rows.map((row) => columns.map((key) => text(row[key] ?? null)))];
  printLine(alignedLines(table).join('\n'));
}

/** The lines of a table. `isNumber`: whether the cells of each column are aligned to the right. */
export function alignedLines(
  table: readonly (readonly string[])[],
  isNumber: readonly boolean[] = [],
): readonly string[] {
  const widths = (table[0] ?? []).map((_, i) =>
    Math.max(...table.map((cells) => displayWidth(cells[i] ?? ''))),
  );
  return table.map((cells) =>
    cells
      .map((cell, i) => {
        const gap = ' '.repeat((widths[i] ?? 0) - displayWidth(cell));
        return isNumber[i] === true ? gap + cell : cell + gap;
      })
      .join('  ')
      .trimEnd(),
  );
}

function text(value: Listed): string {
  if (value === null) return '-';
  return value instanceof Date ? value.toISOString().slice(0, 19).replace('T', ' ') : String(value);
}
