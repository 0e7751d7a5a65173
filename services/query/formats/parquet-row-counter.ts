import { parquetMetadata } from 'hyparquet';

// The footer has 5 KB for two million rows, so 1.3 MB for 500 million.
const tailBytes = 4 * 1024 * 1024;

/** Reads the number of rows from the footer of a Parquet file. A file without footer is incomplete. */
export class ParquetRowCounter {
  /** A ring buffer of the last bytes. */
  #ring = Buffer.allocUnsafeSlow(tailBytes);
  #bytes = 0;
  #rows = 0;

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      const copied = chunk.copy(this.#ring, this.#bytes % tailBytes, at);
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

  /** 0 until `finish`. */
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
