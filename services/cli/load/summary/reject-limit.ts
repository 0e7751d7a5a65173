import { UsageError } from '../../command.ts';

/** --max-rejects: a number of rows, or a share of all rows of the run. */
export class RejectLimit {
  readonly #text: string;
  readonly #maxRows: number;
  readonly #maxShare: number;
  #rejected = 0;
  #read = 0;

  constructor(text: string | undefined) {
    this.#text = text ?? '';
    const [, number, percent] = /^(\d{1,15}(?:\.\d{1,6})?)(%?)$/.exec(text ?? '') ?? [];
    const isWhole = percent === '%' || /^\d+$/.test(number ?? '');
    if (
      text !== undefined &&
      (number === undefined || !isWhole || Number(number) > limitOf(percent))
    )
      throw new UsageError(
        `--max-rejects must be a number of rows such as 100, or a percentage such as 0.5%, not "${text}"`,
      );
    this.#maxRows = number !== undefined && percent === '' ? Number(number) : Infinity;
    this.#maxShare = number !== undefined && percent === '%' ? Number(number) / 100 : Infinity;
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

export class TooManyRejects extends Error {
  override readonly name = 'TooManyRejects';
}

function limitOf(percent: string | undefined): number {
  return percent === '%' ? 100 : Infinity;
}
