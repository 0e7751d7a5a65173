import type { RejectedRow } from '../../results/rows/scanned-rows.ts';

/** Counts rejected rows and keeps the first of them: a body of 64 MiB can have 30 million. */
export class RejectList {
  readonly #maxListed: number;
  readonly #first: RejectedRow[] = [];
  #count = 0;

  constructor(maxListed: number) {
    this.#maxListed = maxListed;
  }

  get count(): number {
    return this.#count;
  }

  /** In the order of their lines, if they were added in that order. */
  get first(): readonly RejectedRow[] {
    return this.#first;
  }

  /** Without their text: only the response shows rejected rows, and it does not have it. */
  add(rows: readonly RejectedRow[]): void {
    this.#count += rows.length;
    const room = this.#maxListed - this.#first.length;
    for (const row of rows.slice(0, room)) this.#first.push({ ...row, text: noText });
  }
}

const noText = Buffer.alloc(0);
