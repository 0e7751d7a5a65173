const quote = 0x22;
const newline = 0x0a;

/** Counts the rows of a CSV as it passes by; a line end between quotes is part of a text. */
export class CsvRowCounter {
  #lines = 0;
  #isQuoted = false;
  #endsWithLine = true;

  add(piece: Buffer): void {
    if (piece.length === 0) return;
    // In variables of its own and by index, which is four times as fast as `of`: half a gigabyte
    // goes through here, byte by byte.
    let isQuoted = this.#isQuoted;
    let lines = this.#lines;
    for (let at = 0, end = piece.length; at < end; at++) {
      const byte = piece[at] ?? 0;
      if (byte > quote) continue;
      // A doubled quote within a text switches twice, which leaves everything as it was.
      if (byte === quote) isQuoted = !isQuoted;
      else if (byte === newline && !isQuoted) lines++;
    }
    this.#isQuoted = isQuoted;
    this.#lines = lines;
    this.#endsWithLine = !isQuoted && piece[piece.length - 1] === newline;
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
}
