const quote = 0x22;
const newline = 0x0a;

/** Counts the rows of a CSV stream. A line end within quotes is part of a value. */
export class CsvRowCounter {
  #lines = 0;
  #isQuoted = false;
  #endsWithLine = true;

  add(chunk: Buffer): void {
    if (chunk.length === 0) return;
    // Local variables and an index are four times as fast as `of`: half a gigabyte is read here, byte
    // by byte.
    let isQuoted = this.#isQuoted;
    let lines = this.#lines;
    for (let at = 0, end = chunk.length; at < end; at++) {
      const byte = chunk[at] ?? 0;
      if (byte > quote) continue;
      // An escaped quote ("") within a value toggles twice.
      if (byte === quote) isQuoted = !isQuoted;
      else if (byte === newline && !isQuoted) lines++;
    }
    this.#isQuoted = isQuoted;
    this.#lines = lines;
    this.#endsWithLine = !isQuoted && chunk[chunk.length - 1] === newline;
  }

  /** Throws if the last row is not complete. */
  finish(): void {
    if (!this.#endsWithLine || this.#lines === 0) {
      throw new Error('The response of ClickHouse ends within a row');
    }
  }

  /** Without the header. */
  get rows(): number {
    return Math.max(0, this.#lines - 1);
  }
}
