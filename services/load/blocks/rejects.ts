import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { csvText } from '../../results/csv.ts';
import { UsageError } from '../../shared/errors/usage-error.ts';
import type { RejectedRow } from '../../results/rows/scanned-rows.ts';

export interface RejectReason {
  readonly reason: string;
  readonly rows: number;
  /** The first row with this reason. */
  readonly firstLine: number;
  readonly column: string;
  readonly firstValue: string;
}

/**
 * Counts the rejected rows of a file by reason and writes them to the reject file, which the first one creates.
 * Memory is bounded: reasons beyond the limit are counted together.
 */
export class Rejects {
  readonly path: string;
  total = 0;
  readonly #reasons = new Map<string, { rows: number; readonly first: RejectedRow }>();
  #file: number | undefined;

  constructor(path: string) {
    this.path = path;
  }

  add(rows: readonly RejectedRow[]): void {
    this.total += rows.length;
    for (const row of rows) {
      const group = row.group ?? row.reason;
      const isFull = this.#reasons.size >= maxReasons && !this.#reasons.has(group);
      const reason = isFull ? 'other reasons' : group;
      const counted = this.#reasons.get(reason);
      if (counted === undefined) this.#reasons.set(reason, { rows: 1, first: row });
      else counted.rows++;
    }
    if (rows.length > 0) this.#write(rows);
  }

  /** The most frequent first. */
  reasons(): readonly RejectReason[] {
    return [...this.#reasons]
      .map(([reason, { rows, first }]) => ({
        reason,
        rows,
        firstLine: first.line,
        column: first.column,
        firstValue: first.value,
      }))
      .sort((a, b) => b.rows - a.rows);
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

  #write(rows: readonly RejectedRow[]): void {
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

const maxReasons = 50;

/** --max-rejects: a number of rows, or a share of all rows of the run. */
export class RejectLimit {
  readonly #text: string;
  readonly #maxRows: number;
  readonly #maxShare: number;
  #rejected = 0;
  #read = 0;

  /** `text` is for messages; a limit that was not given is Infinity. */
  constructor(text: string, maxRows: number, maxShare: number) {
    this.#text = text;
    this.#maxRows = maxRows;
    this.#maxShare = maxShare;
  }

  /** Throws when there are more rejected rows than allowed. A percentage is checked at the end of a file. */
  add(rejected: number): void {
    this.#rejected += rejected;
    if (this.#rejected > this.#maxRows) throw this.#tooMany();
  }

  endOfFile(rowsRead: number): void {
    this.#read += rowsRead;
    if (this.#rejected > this.#maxShare * this.#read) throw this.#tooMany();
  }

  #tooMany(): TooManyRejects {
    const ofRows = this.#maxShare === Infinity ? '' : ` of ${this.#read}`;
    return new TooManyRejects(
      `${this.#rejected}${ofRows} rows were rejected, more than --max-rejects ${this.#text}`,
    );
  }
}

/** `100` rows, or `0.5%` of the rows read. Throws a UsageError. */
export function parseRejectLimit(text: string | undefined): RejectLimit {
  if (text === undefined) return new RejectLimit('', Infinity, Infinity);
  const [, number = '', percent] = /^(\d{1,15}(?:\.\d{1,6})?)(%?)$/.exec(text) ?? [];
  if (percent === '%' && Number(number) <= 100) {
    return new RejectLimit(text, Infinity, Number(number) / 100);
  }
  if (percent === '' && /^\d+$/.test(number))
    return new RejectLimit(text, Number(number), Infinity);
  throw new UsageError(
    `--max-rejects must be a number of rows such as 100, or a percentage such as 0.5%, not "${text}"`,
  );
}

export class TooManyRejects extends Error {
  override readonly name = 'TooManyRejects';
}

/** --strict: the file has an invalid row. */
export class InvalidRowError extends Error {
  override readonly name = 'InvalidRowError';
  /** The message without values of the file. */
  readonly rule: string;

  constructor({ line, reason, group, value, text }: RejectedRow) {
    const not = value === '' ? '' : `, not ${JSON.stringify(value)}`;
    super(`line ${line}: ${reason}${not}: ${text.toString().slice(0, 200)}`);
    this.rule = `line ${line}: ${group ?? reason}`;
  }
}
