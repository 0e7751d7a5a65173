import type { Conversion } from '../fields/convert-time.ts';
import { GrowingBytes } from './growing-bytes.ts';

export interface RejectedRow {
  readonly line: number;
  readonly reason: string;
  /** The reason without names, to count rows; default: the reason. */
  readonly group?: string;
  /** The column and value that are the reason; '' if it is the row as a whole. */
  readonly column: string;
  readonly value: string;
  readonly text: Buffer;
}

/** For sort. */
export function byLine(a: RejectedRow, b: RejectedRow): number {
  return a.line - b.line;
}

/** The valid rows of a block, as byte offsets. */
export interface ScannedRows {
  readonly count: number;
  /** An offset of `convertedFrom` or more is in `converted`, a smaller one in the block. */
  readonly starts: Uint32Array;
  /** Without the line end. */
  readonly ends: Uint32Array;
  readonly lines: Uint32Array;
  readonly agents: Uint32Array;
  /** Hashes, two of each row's key and one of the whole row. */
  readonly keys1: Uint32Array;
  readonly keys2: Uint32Array;
  readonly contents: Uint32Array;
  /** dtime in seconds since 1970; empty unless the shape has maxAheadS. */
  readonly timesS: Uint32Array;
  readonly converted: ConvertedRows;
  readonly convertedFrom: number;
  readonly rejected: readonly RejectedRow[];
  /** The remaining bytes are the beginning of a row. */
  readonly consumedBytes: number;
}

/** Copies a row into `target`. Returns the number of bytes. */
export function copyRow(
  block: Buffer,
  rows: ScannedRows,
  i: number,
  target: Buffer,
  at: number,
): number {
  const start = rows.starts[i] ?? 0;
  const end = rows.ends[i] ?? 0;
  const from = rows.convertedFrom;
  return start < from
    ? block.copy(target, at, start, end)
    : rows.converted.bytes.copy(target, at, start - from, end - from);
}

export function rowText(block: Buffer, rows: ScannedRows, i: number): Buffer {
  const text = Buffer.allocUnsafe((rows.ends[i] ?? 0) - (rows.starts[i] ?? 0));
  copyRow(block, rows, i, text, 0);
  return text;
}

/** A field to replace in its row. */
export interface FieldConversion extends Conversion {
  readonly column: number;
  readonly start: number;
  readonly end: number;
}

/** Rows with converted fields, one after the other. */
export class ConvertedRows extends GrowingBytes {
  /** Adds the row at `start` to `end` of a block, with these fields replaced. */
  add(block: Buffer, start: number, end: number, fields: readonly FieldConversion[]): void {
    const bytes = this.reserve(fields.reduce((sum, { text }) => sum + text.length, end - start));
    let from = start;
    for (const field of fields) {
      this.length += block.copy(bytes, this.length, from, field.start);
      this.length += bytes.write(field.text, this.length, 'latin1');
      from = field.end;
    }
    this.length += block.copy(bytes, this.length, from, end);
  }
}
