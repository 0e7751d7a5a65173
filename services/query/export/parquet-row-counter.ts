const magic = Buffer.from('PAR1');
// Two million rows have a footer of 5 KB, so 500 million one of 1.3 MB; nothing else is held of a file.
const maxFooterBytes = 4 * 1024 * 1024;
const tailBytes = maxFooterBytes + magic.length + 4;

/**
 * Reads the number of rows out of the end of a Parquet file, which is where it is kept:
 *
 *     … FileMetaData (Thrift compact) | its length, 4 bytes | PAR1
 *
 * A file that does not end like this is not whole.
 */
export class ParquetRowCounter {
  /** The last bytes, written in circles: the oldest are overwritten. */
  #circle = Buffer.allocUnsafeSlow(tailBytes);
  #bytes = 0;
  #rows = 0;

  add(piece: Buffer): void {
    for (let at = 0; at < piece.length;) {
      const copied = piece.copy(this.#circle, this.#bytes % tailBytes, at);
      at += copied;
      this.#bytes += copied;
    }
  }

  finish(): void {
    const end = this.#bytes % tailBytes;
    const isRound = this.#bytes > tailBytes;
    const tail = Buffer.concat([
      this.#circle.subarray(end, isRound ? tailBytes : end),
      this.#circle.subarray(0, end),
    ]);
    const lengthAt = tail.length - magic.length - 4;
    if (lengthAt < 0 || !tail.subarray(-magic.length).equals(magic)) {
      throw new Error('The answer of ClickHouse is not a whole Parquet file');
    }
    const start = lengthAt - tail.readUInt32LE(lengthAt);
    if (start < 0) throw new Error('The footer of the Parquet file is too large to read');
    this.#rows = rowCount(new CompactReader(tail.subarray(start, lengthAt)));
    this.#circle = Buffer.alloc(0);
  }

  /** Known when the file has ended. */
  get rows(): number {
    return this.#rows;
  }
}

// FileMetaData: 1 version, 2 schema, 3 num_rows …
function rowCount(reader: CompactReader): number {
  for (let id = 0; ;) {
    const { type, step } = reader.fieldHeader();
    if (type === 0) throw new Error('The Parquet file does not tell its number of rows');
    id = step === 0 ? reader.integer() : id + step;
    if (id === 3) return reader.integer();
    reader.skip(type);
  }
}

/** As much of https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md as is needed. */
class CompactReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  fieldHeader(): { type: number; step: number } {
    const byte = this.#byte();
    return { type: byte & 0x0f, step: byte >> 4 };
  }

  /** Zigzag: 0, -1, 1, -2 … are 0, 1, 2, 3 … */
  integer(): number {
    const value = this.#varint();
    return Number(value & 1n ? -(value + 1n) / 2n : value / 2n);
  }

  skip(type: number): void {
    if (type === types.byte) this.#at += 1;
    else if (type >= types.i16 && type <= types.i64) this.#varint();
    else if (type === types.double) this.#at += 8;
    else if (type === types.binary) this.#skipBinary();
    else if (type === types.list || type === types.set) this.#skipList();
    else if (type === types.struct) this.#skipStruct();
    else if (type !== types.true && type !== types.false) {
      throw new Error(`The Parquet file has a field of the unknown type ${type}`);
    }
  }

  #skipBinary(): void {
    const length = Number(this.#varint());
    this.#at += length;
  }

  #skipList(): void {
    const header = this.#byte();
    const short = header >> 4;
    const length = short === 15 ? Number(this.#varint()) : short;
    for (let i = 0; i < length; i++) this.skip(header & 0x0f);
  }

  #skipStruct(): void {
    for (;;) {
      const { type, step } = this.fieldHeader();
      if (type === 0) return;
      if (step === 0) this.integer();
      this.skip(type);
    }
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new Error('The footer of the Parquet file is cut off');
    return byte;
  }
}

const types = {
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  struct: 12,
} as const;
