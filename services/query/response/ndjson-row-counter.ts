const newline = 0x0a;
const openingBrace = 0x7b;

/** Counts the rows of a stream of JSON lines. A line end within a value is escaped as \n. */
export class NdjsonRowCounter {
  #rows = 0;
  #startsLine = true;

  add(chunk: Buffer): void {
    for (let start = 0; start < chunk.length;) {
      if (this.#startsLine && chunk[start] !== openingBrace)
        throw new Error('The response of ClickHouse is not a JSON row');
      const end = chunk.indexOf(newline, start);
      this.#startsLine = end >= 0;
      if (end < 0) return;
      this.#rows++;
      start = end + 1;
    }
  }

  /** Throws if the last row is not complete. */
  finish(): void {
    if (!this.#startsLine) throw new Error('The response of ClickHouse ends within a row');
  }

  get rows(): number {
    return this.#rows;
  }
}
