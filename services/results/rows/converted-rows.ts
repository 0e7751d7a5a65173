import type { Conversion } from '../fields/conversion.ts';
import { GrowingBytes } from './growing-bytes.ts';

/** A field to replace in its row. */
export interface FieldConversion extends Conversion {
  readonly column: number;
  readonly start: number;
  readonly end: number;
}

/** Rows with converted fields, one after the other. */
export class ConvertedRows {
  readonly #rows = new GrowingBytes();

  get bytes(): Buffer {
    return this.#rows.bytes;
  }

  get length(): number {
    return this.#rows.length;
  }

  /** Adds the row at `start` to `end` of a block, with these fields replaced. */
  add(block: Buffer, start: number, end: number, fields: readonly FieldConversion[]): void {
    const rows = this.#rows;
    const bytes = rows.reserve(fields.reduce((sum, { text }) => sum + text.length, end - start));
    let from = start;
    for (const field of fields) {
      rows.length += block.copy(bytes, rows.length, from, field.start);
      rows.length += bytes.write(field.text, rows.length, 'latin1');
      from = field.end;
    }
    rows.length += block.copy(bytes, rows.length, from, end);
  }
}
