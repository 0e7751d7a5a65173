import { notImplemented } from './server-exception.ts';

// For clickhouse-go, which Grafana's plugin uses, and clickhouse-connect: they read the format Native.
//
// The format depends on the protocol revision of the client. The engine writes revision 0. From 54454 on
// a block starts with a block info, and each column has a byte for its serialization. The rest is the same, so
// columns are only measured and copied. Data of an INSERT always has revision 0.

/** The first revision with block info and serialization bytes. */
export const blockInfoRevision = 54_454;

/** Converts blocks of revision 0 to revision 54454. */
export function withBlockInfo(native: Uint8Array): Uint8Array<ArrayBuffer> {
  const reader = new NativeReader(native);
  const out: Uint8Array[] = [];
  while (reader.hasMore) {
    const start = reader.at;
    const columns = reader.varint();
    const rows = reader.varint();
    out.push(blockInfo, reader.since(start));
    for (let i = 0; i < columns; i++) {
      const head = reader.at;
      reader.text();
      const type = reader.text();
      out.push(reader.since(head), plainSerialization);
      const data = reader.at;
      if (rows > 0) reader.skipColumn(type, rows);
      out.push(reader.since(data));
    }
  }
  return Buffer.concat(out);
}

// is_overflows = 0, bucket_num = -1
const blockInfo = Buffer.from([1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0]);
const plainSerialization = Buffer.of(0);

class NativeReader {
  readonly #bytes: Buffer;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get hasMore(): boolean {
    return this.at < this.#bytes.length;
  }

  since(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.at);
  }

  #byte(): number {
    return this.#bytes.readUInt8(this.at++);
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  text(): string {
    const length = this.varint();
    this.#skip(length);
    return this.#bytes.toString('utf8', this.at - length, this.at);
  }

  skipColumn(type: string, rows: number): void {
    this.#skipPrefix(type);
    this.#skipValues(type, rows);
  }

  // Before the values of a column: the version of each dictionary in it.
  #skipPrefix(type: string): void {
    const { name, parts } = parsed(type);
    if (name === 'LowCardinality') this.#skip(8);
    else if (nesting.has(name)) for (const part of parts) this.#skipPrefix(part);
  }

  #skipValues(type: string, rows: number): void {
    const { name, parts } = parsed(type);
    const [first = ''] = parts;
    if (name === 'String') {
      for (let i = 0; i < rows; i++) this.#skip(this.varint());
    } else if (name === 'Nullable') {
      this.#skip(rows);
      this.#skipValues(first, rows);
    } else if (name === 'Array' || name === 'Map') {
      this.#skip(rows * 8);
      const values = rows === 0 ? 0 : Number(this.#bytes.readBigUInt64LE(this.at - 8));
      for (const part of parts) this.#skipValues(part, values);
    } else if (name === 'Tuple') {
      for (const part of parts) this.#skipValues(part, rows);
      if (parts.length === 0) this.#skip(rows);
    } else if (name === 'LowCardinality') {
      if (rows > 0) this.#skipDictionary(first);
    } else {
      this.#skip(rows * fixedBytes(name, parts));
    }
  }

  #skipDictionary(type: string): void {
    const { name, parts } = parsed(type);
    const indexBytes = 2 ** this.#byte();
    this.#skip(7);
    this.#skipValues(name === 'Nullable' ? (parts[0] ?? '') : type, this.#count());
    this.#skip(this.#count() * indexBytes);
  }

  #count(): number {
    this.#skip(8);
    return Number(this.#bytes.readBigUInt64LE(this.at - 8));
  }

  #skip(bytes: number): void {
    this.at += bytes;
    if (this.at > this.#bytes.length)
      throw new Error('A block of the format Native is incomplete.');
  }
}

interface NativeType {
  readonly name: string;
  /** Types of the values inside, or the arguments of the type. */
  readonly parts: readonly string[];
}

const nesting = new Set(['Nullable', 'Array', 'Map', 'Tuple']);

// Tuple(a Int32, `b c` Array(String)) has the parts Int32 and Array(String).
function parsed(type: string): NativeType {
  const [, name = type, inside = ''] = /^(\w+)\((.*)\)$/s.exec(type) ?? [];
  const parts = [...inside.matchAll(partPattern)].map(([part]) => part.trim());
  const types = parts.map((part) => part.replace(/^(`(?:[^`\\]|\\.)*`|\w+) (?=\w)/, ''));
  if (name === 'SimpleAggregateFunction') return parsed(types.at(-1) ?? '');
  return { name, parts: nesting.has(name) ? types : parts };
}

// Up to a comma outside brackets (at most five levels) and quotes.
const quotedText = /'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/.source;
const flat = `(?:[^()',\`]|${quotedText})`;
const brackets = (inner: string) => `\\((?:[^()'\`]|${quotedText}|${inner})*\\)`;
const nested = brackets(brackets(brackets(brackets(brackets('(?!)')))));
const partPattern = new RegExp(`(?:${flat}|${nested})+`, 'gs');

function fixedBytes(name: string, [first = '']: readonly string[]): number {
  if (name === 'FixedString') return Number(first);
  if (name === 'Decimal') return decimalBytes(Number(first));
  if (name.startsWith('Interval')) return 8;
  const bytes = bytesOf[name];
  if (bytes === undefined) throw notImplemented(`the type ${name} in the format Native`);
  return bytes;
}

function decimalBytes(precision: number): number {
  if (precision <= 9) return 4;
  if (precision <= 18) return 8;
  return precision <= 38 ? 16 : 32;
}

const bytesOf: Readonly<Record<string, number>> = {
  Int8: 1,
  Int16: 2,
  Int32: 4,
  Int64: 8,
  Int128: 16,
  Int256: 32,
  UInt8: 1,
  UInt16: 2,
  UInt32: 4,
  UInt64: 8,
  UInt128: 16,
  UInt256: 32,
  BFloat16: 2,
  Float32: 4,
  Float64: 8,
  Bool: 1,
  Nothing: 1,
  Enum8: 1,
  Enum16: 2,
  Date: 2,
  Date32: 4,
  DateTime: 4,
  DateTime64: 8,
  Time: 4,
  Time64: 8,
  UUID: 16,
  IPv4: 4,
  IPv6: 16,
};
