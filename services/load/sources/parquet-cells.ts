import {
  type FileMetaData,
  type ParquetParsers,
  parquetSchema,
  type SchemaElement,
  type SchemaTree,
} from 'hyparquet';

/** A value of a Parquet row that is not a record. */
export interface ParquetColumn {
  /** `a.MinRTT` */
  readonly name: string;
  readonly path: readonly string[];
  /** Digits after the point of a DECIMAL. */
  readonly scale: number | undefined;
  /** Of 32 bits, whose shortest decimal is not that of the same number as a double. */
  readonly isFloat: boolean;
}

/** The columns of a file. DECIMALs are read as whole numbers from then on: hyparquet rounds them to doubles. */
export function parquetColumns(metadata: FileMetaData): readonly ParquetColumn[] {
  return leaves(parquetSchema(metadata).children);
}

function leaves(nodes: readonly SchemaTree[]): readonly ParquetColumn[] {
  return nodes.flatMap((node) =>
    isRecord(node) ? leaves(node.children) : parquetColumn(node.element, node.path),
  );
}

function isRecord({ children, element }: SchemaTree): boolean {
  const { repetition_type, converted_type, logical_type } = element;
  const isPlain = converted_type === undefined && logical_type === undefined;
  return children.length > 0 && isPlain && repetition_type !== 'REPEATED';
}

function parquetColumn(element: SchemaElement, path: readonly string[]): ParquetColumn {
  const isDecimal =
    element.converted_type === 'DECIMAL' || element.logical_type?.type === 'DECIMAL';
  const scale = isDecimal ? decimalScale(element) : undefined;
  if (isDecimal) {
    delete element.converted_type;
    delete element.logical_type;
  }
  return { name: path.join('.'), path, scale, isFloat: element.type === 'FLOAT' };
}

function decimalScale({ scale, logical_type }: SchemaElement): number {
  return scale ?? (logical_type?.type === 'DECIMAL' ? logical_type.scale : 0);
}

/** Times as text with all their digits; a Date has milliseconds only. */
export const exactParsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (millis) => timeText(millis, 3),
  timestampFromMicroseconds: (micros) => timeText(micros, 6),
  timestampFromNanoseconds: (nanos) => timeText(nanos, 9),
  dateFromDays: (days) => timeText(BigInt(days) * 86_400n, 0).slice(0, 10),
  jsonFromBytes: (bytes) => utf8Text(bytes),
};

/** `2026-11-15 18:30:00.123456` for a count of 10^-digits seconds since 1970. */
function timeText(count: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const fraction = ((count % perSecond) + perSecond) % perSecond;
  const seconds = (count - fraction) / perSecond;
  const time = new Date(Number(seconds) * 1000);
  // Beyond the year 275760. The check of the column rejects the number.
  if (Number.isNaN(time.getTime())) return String(count);
  const text = time
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '');
  return fraction === 0n ? text : `${text}.${String(fraction).padStart(digits, '0')}`;
}

/** The text of a column of a row; '' if it is null. A list is its JSON text. */
export function cellText(row: Readonly<Record<string, unknown>>, column: ParquetColumn): string {
  let value: unknown = row;
  for (const key of column.path)
    value = (value as Record<string, unknown> | null | undefined)?.[key];
  if (value === null || value === undefined) return '';
  if (column.scale !== undefined) return decimalText(unscaled(value), column.scale);
  if (typeof value === 'number' && column.isFloat) return floatText(value);
  if (value instanceof Uint8Array) return utf8Text(value);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return JSON.stringify(value, jsonValue);
}

/** A DECIMAL is stored as a number, or as big-endian bytes in two's complement. */
function unscaled(value: unknown): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value as number | bigint);
  const hex = Buffer.from(value).toString('hex');
  return hex === '' ? 0n : BigInt.asIntN(value.length * 8, BigInt(`0x${hex}`));
}

function decimalText(value: bigint, scale: number): string {
  const sign = value < 0n ? '-' : '';
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-scale)}`;
}

// 43.78 as 32 bits is 43.779998779296875; the shortest decimal that means the same float is 43.78.
function floatText(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(value);
}

function utf8Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function jsonValue(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
