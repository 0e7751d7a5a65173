import { notUtf8 } from '../../results/rows/row-reader.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import type { RejectList } from './reject-list.ts';

/** `data` of the response. */
export interface ReceiptData {
  readonly rows: number;
  readonly stored: number;
  /** Rows with the key of an earlier row of the request. They are part of `stored`, and count once. */
  readonly duplicates: number;
  readonly rejected: number;
  readonly agentsRegistered: number;
  readonly rejects: readonly ListedReject[];
}

interface ListedReject {
  /** Line of the body, from 1; in a JSON array the position, from 1. */
  readonly row: number;
  readonly reason: string;
  /** Empty if the reason is the row as a whole. */
  readonly column: string;
  readonly value: string;
}

/** Counts the rows of a request and lists the first rejected ones. */
export class Receipt {
  readonly #maxListed: number;
  readonly #rejects: ListedReject[] = [];
  #rejected = 0;
  #stored = 0;
  #duplicates = 0;

  constructor(maxListed: number) {
    this.#maxListed = maxListed;
  }

  get rejected(): number {
    return this.#rejected;
  }

  get stored(): number {
    return this.#stored;
  }

  reject(...lists: readonly RejectList[]): void {
    this.#rejected = lists.reduce((sum, { count }) => sum + count, 0);
    const rows = lists.flatMap(({ first }) => first).sort((a, b) => a.line - b.line);
    for (const { line, reason, column, value } of rows.slice(0, this.#maxListed)) {
      // The other message names an option of the command line.
      const shown = reason === notUtf8 ? 'not UTF-8' : reason;
      this.#rejects.push({ row: line, reason: shown, column, value });
    }
  }

  store(rowCount: number, duplicates: number): void {
    this.#stored += rowCount;
    this.#duplicates += duplicates;
  }

  data(agentsRegistered: number): ReceiptData {
    return {
      rows: this.#stored + this.#rejected,
      stored: this.#stored,
      duplicates: this.#duplicates,
      rejected: this.#rejected,
      agentsRegistered,
      rejects: this.#rejects,
    };
  }

  /** The error of a request of which nothing was stored. */
  error(): AppError {
    const errors: Record<string, string[]> = {};
    for (const { row, column, reason, value } of this.#rejects) {
      const field = column === '' ? `rows[${row}]` : `rows[${row}][${column.slice(0, 100)}]`;
      // Also if the value is empty.
      const isNamed = reason.includes(value);
      errors[field] = [isNamed ? reason : `${reason}, not ${JSON.stringify(value)}`];
    }
    return new AppError('VALIDATION_FAIL', {
      publicMessage: this.#message(),
      errors: errors,
    });
  }

  #message(): string {
    const rows = this.#rejected === 1 ? '1 row is' : `${this.#rejected} rows are`;
    const listed =
      this.#rejects.length < this.#rejected ? ` The first ${this.#rejects.length} are listed.` : '';
    return `${rows} invalid. Nothing was stored.${listed}`;
  }
}
