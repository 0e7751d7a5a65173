import type { ConvertedRows } from './converted-rows.ts';

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
