import type { SourceRow } from '../sources/source-rows.ts';

/**
 * Rows that were mapped and not yet checked, by line, to show a rejected row as it is in the file. Memory
 * is bounded: the oldest rows are dropped, and then shown as they were mapped.
 */
export class RecentRows {
  readonly #rows = new Map<number, SourceRow>();
  #characters = 0;

  add(row: SourceRow): void {
    this.#rows.set(row.line, row);
    this.#characters += sizeOf(row);
    if (this.#characters > maxCharacters) this.#dropWhile(() => this.#characters > maxCharacters);
  }

  at(line: number): SourceRow | undefined {
    return this.#rows.get(line);
  }

  forget(beforeLine: number): void {
    this.#dropWhile((line) => line < beforeLine);
  }

  #dropWhile(isDropped: (line: number) => boolean): void {
    for (const [line, row] of this.#rows) {
      if (!isDropped(line)) return;
      this.#rows.delete(line);
      this.#characters -= sizeOf(row);
    }
  }
}

const maxCharacters = 64 * 1024 ** 2;

/** About the memory of a row: its text, and 40 bytes per cell. */
function sizeOf({ text = '', cells }: SourceRow): number {
  return text.length + 40 * cells.length;
}
