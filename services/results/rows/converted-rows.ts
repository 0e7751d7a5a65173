import type { Conversion } from '../fields/conversion.ts';

/** A field to replace in its row. */
export interface FieldConversion extends Conversion {
  readonly column: number;
  readonly start: number;
  readonly end: number;
}

/** Rows with converted fields, one after the other. */
export class ConvertedRows {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get bytes(): Buffer {
    return this.#bytes;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds the row at `start` to `end` of a block, with these fields replaced. */
  add(block: Buffer, start: number, end: number, fields: readonly FieldConversion[]): void {
    const added = fields.reduce((sum, { text }) => sum + text.length, end - start);
    this.#reserve(added);
    let from = start;
    for (const field of fields) {
      this.#length += block.copy(this.#bytes, this.#length, from, field.start);
      this.#length += this.#bytes.write(field.text, this.#length, 'latin1');
      from = field.end;
    }
    this.#length += block.copy(this.#bytes, this.#length, from, end);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(64 * 1024, 2 * (this.#length + count)));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
