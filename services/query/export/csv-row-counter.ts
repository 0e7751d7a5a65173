const quote = 0x22;
const newline = 0x0a;

/** Counts the rows of a CSV as it passes by; a line end between quotes is part of a text. */
export class CsvRowCounter {
  #lines = 0;
  #isQuoted = false;
  #endsWithLine = true;

  add(piece: Buffer): void {
    if (piece.length === 0) return;
    // A doubled quote within a text switches twice, which leaves everything as it was.
    let nextQuote = piece.indexOf(quote);
    let at = 0;
    while (at < piece.length) {
      if (this.#isQuoted) {
        if (nextQuote < 0) break;
        this.#isQuoted = false;
        at = nextQuote + 1;
        nextQuote = piece.indexOf(quote, at);
        continue;
      }
      const end = nextQuote < 0 ? piece.length : nextQuote;
      this.#countLines(piece, at, end);
      if (nextQuote < 0) break;
      this.#isQuoted = true;
      at = nextQuote + 1;
      nextQuote = piece.indexOf(quote, at);
    }
    this.#endsWithLine = !this.#isQuoted && piece[piece.length - 1] === newline;
  }

  /** Rows without the header. Throws when the last one is not whole. */
  finish(): void {
    if (!this.#endsWithLine || this.#lines === 0) {
      throw new Error('The answer of ClickHouse ends within a row');
    }
  }

  get rows(): number {
    return Math.max(0, this.#lines - 1);
  }

  #countLines(piece: Buffer, from: number, to: number): void {
    for (let at = from; at < to; at++) if (piece[at] === newline) this.#lines++;
  }
}
