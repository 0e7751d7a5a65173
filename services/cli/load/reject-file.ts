import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { csvText } from '../csv/csv-text.ts';
import type { RejectedRow } from './row-scanner.ts';

/** The rejected rows of a file. The first one creates the reject file. */
export class RejectFile {
  readonly path: string;
  #count = 0;
  #file: number | undefined;

  constructor(path: string) {
    this.path = path;
  }

  get count(): number {
    return this.#count;
  }

  add(rows: readonly RejectedRow[]): void {
    if (rows.length === 0) return;
    this.#file ??= this.#create();
    const lines = rows.map(({ line, reason, text }) => [line, reason, text.toString('utf8')]);
    writeSync(this.#file, csvText(lines));
    this.#count += rows.length;
  }

  /** Without rejected rows, removes the reject file of an earlier run: its rows are loaded now. */
  close(): void {
    if (this.#file === undefined) rmSync(this.path, { force: true });
    else closeSync(this.#file);
    this.#file = undefined;
  }

  #create(): number {
    try {
      const file = openSync(this.path, 'w');
      writeSync(file, csvText([['line', 'reason', 'row']]));
      return file;
    } catch (error) {
      throw new Error(`${this.path} cannot be written; choose another folder with --rejects DIR`, {
        cause: error,
      });
    }
  }
}
