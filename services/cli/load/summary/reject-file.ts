import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { csvText } from '../../../results/csv/csv-text.ts';
import type { RejectedRow } from '../../../results/rows/scanned-rows.ts';

/** The rejected rows of a file. The first one creates the reject file. */
export class RejectFile {
  readonly path: string;
  #file: number | undefined;

  constructor(path: string) {
    this.path = path;
  }

  add(rows: readonly RejectedRow[]): void {
    if (rows.length === 0) return;
    const lines = rows.map(({ line, column, value, reason, text }) => [
      line,
      column,
      value,
      reason,
      text.toString('utf8'),
    ]);
    this.#attempt(() => {
      if (this.#file === undefined) {
        this.#file = openSync(this.path, 'w');
        writeFileSync(this.#file, csvText([['line', 'column', 'value', 'reason', 'row']]));
      }
      // Unlike writeSync, it writes everything or throws: a full disk stores a part of the text.
      writeFileSync(this.#file, csvText(lines));
    });
  }

  close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) this.#attempt(() => closeSync(file));
  }

  /** Removes the reject file of an earlier run: its rows are loaded now. */
  remove(): void {
    rmSync(this.path, { force: true });
  }

  #attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      throw new Error(
        `the rejected rows cannot be written to ${this.path}; choose another folder with --rejects DIR`,
        { cause: error },
      );
    }
  }
}
