/** Many are kept until the end of a request, with few bytes in each. */
const firstBytes = 8 * 1024;

/** Bytes that are written one after another into a buffer that grows. */
export class GrowingBytes {
  #bytes = Buffer.alloc(0);
  /** Bytes written so far. */
  length = 0;

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Makes room for this many more bytes. Earlier values of `bytes` are then outdated. */
  reserve(count: number): Buffer {
    if (this.length + count <= this.#bytes.length) return this.#bytes;
    const larger = Buffer.allocUnsafe(Math.max(firstBytes, 2 * (this.length + count)));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
    return larger;
  }

  /** The buffer belongs to the caller, and this starts again with none. */
  take(): { readonly bytes: Buffer; readonly length: number } {
    const taken = { bytes: this.#bytes, length: this.length };
    this.#bytes = Buffer.alloc(0);
    this.length = 0;
    return taken;
  }
}
