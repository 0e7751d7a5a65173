import { parquetMetadata } from 'hyparquet';

// Two million rows have a footer of 5 KB, so 500 million one of 1.3 MB. Only this much is kept of a file.
const tailBytes = 4 * 1024 * 1024;

/** Reads the number of rows from the footer of a Parquet file. A file without a footer is not complete. */
export class ParquetRowCounter {
  /** A ring buffer of the last bytes. */
  #ring = Buffer.allocUnsafeSlow(tailBytes);
  #bytes = 0;
  #rows = 0;

  add(piece: Buffer): void {
    for (let at = 0; at < piece.length;) {
      const copied = piece.copy(this.#ring, this.#bytes % tailBytes, at);
      at += copied;
      this.#bytes += copied;
    }
  }

  finish(): void {
    const end = this.#bytes % tailBytes;
    const isFull = this.#bytes >= tailBytes;
    const tail = Buffer.concat([
      this.#ring.subarray(end, isFull ? tailBytes : end),
      this.#ring.subarray(0, end),
    ]);
    this.#rows = rowCount(tail);
    this.#ring = Buffer.alloc(0);
  }

  /** Known when the file has ended. */
  get rows(): number {
    return this.#rows;
  }
}

function rowCount(tail: Buffer): number {
  try {
    return Number(parquetMetadata(tail).num_rows);
  } catch (error) {
    throw new Error('The response of ClickHouse is not a complete Parquet file', { cause: error });
  }
}
