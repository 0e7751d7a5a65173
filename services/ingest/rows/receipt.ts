import { notUtf8 } from '../../results/rows/row-reader.ts';
import { byLine, type RejectedRow } from '../../results/rows/scanned-rows.ts';
import { AppError } from '../../shared/errors/app-error.ts';

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

/** Counts rejected rows and keeps the first of them: a body of 64 MiB can have 30 million. */
export class RejectList {
  readonly #maxListed: number;
  /** In the order of their lines, if they were added in that order. */
  readonly first: RejectedRow[] = [];
  count = 0;

  constructor(maxListed: number) {
    this.#maxListed = maxListed;
  }

  /** Without their text: only the response shows rejected rows, and it does not have it. */
  add(rows: readonly RejectedRow[]): void {
    this.count += rows.length;
    const room = this.#maxListed - this.first.length;
    for (const row of rows.slice(0, room)) this.first.push({ ...row, text: noText });
  }
}

const noText = Buffer.alloc(0);

/** The rejected rows of a request. */
export interface Rejects {
  readonly count: number;
  /** The first of them. */
  readonly listed: readonly ListedReject[];
}

export function joinRejects(maxListed: number, ...lists: readonly RejectList[]): Rejects {
  const rows = lists.flatMap(({ first }) => first).sort(byLine);
  return {
    count: lists.reduce((sum, { count }) => sum + count, 0),
    listed: rows.slice(0, maxListed).map(({ line, reason, column, value }) => ({
      row: line,
      // The other message names an option of the command line.
      reason: reason === notUtf8 ? 'not UTF-8' : reason,
      column,
      value,
    })),
  };
}

/** The error of a request of which nothing was stored. `maxRejected`: it has more rejected rows than this. */
export function rejectsError({ count, listed }: Rejects, maxRejected?: number): AppError {
  const errors: Record<string, string[]> = {};
  for (const { row, column, reason, value } of listed) {
    const field = column === '' ? `rows[${row}]` : `rows[${row}][${column.slice(0, 100)}]`;
    // Also if the value is empty.
    const isNamed = reason.includes(value);
    errors[field] = [isNamed ? reason : `${reason}, not ${JSON.stringify(value)}`];
  }
  const rows =
    maxRejected === undefined
      ? `${count === 1 ? '1 row is' : `${count} rows are`} invalid`
      : `More than ${maxRejected} rows are invalid, the maximum (INGEST_MAX_REJECTED)`;
  const first = listed.length < count ? ` The first ${listed.length} are listed.` : '';
  const publicMessage = `${rows}. Nothing was stored.${first}`;
  return new AppError('VALIDATION_FAIL', { publicMessage, errors });
}
