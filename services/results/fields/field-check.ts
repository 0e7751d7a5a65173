import { isMaskedText } from '../../catalog/masked.ts';
import { type Conversion, convertTime } from './convert-time.ts';
import { convertWholeNumber, decimal } from './convert-whole-number.ts';

/** Checks the bytes of a field, without its quotes. */
export interface FieldCheck {
  /** Whether ClickHouse reads the field as it is. */
  readonly isValid: (bytes: Uint8Array, start: number, end: number) => boolean;
  /** Converts a field that is not valid as it is; undefined: it cannot be converted. */
  readonly convert?: (text: string) => Conversion | undefined;
  /** Completes "bytes_sec must be …": `a whole number from 0 to 255`. */
  readonly expected: string;
}

/**
 * The check for a column's ClickHouse type. Without it ClickHouse changes values silently: 300
 * becomes 44 in a UInt8, and the year 3000 becomes 2299.
 *
 * An empty field and \N are always valid: the column's default is stored. A column that identifies
 * a result takes 7.0 but not 7.5: rounded, it would be another result.
 */
export function fieldCheck(type: string, identifies = false): FieldCheck {
  const plain = /^(?:Nullable|LowCardinality)\((.+)\)$/.exec(type)?.[1] ?? type;
  const integer = /^(U?)Int(8|16|32|64)$/.exec(plain);
  if (integer !== null) {
    return wholeNumber(integer[1] === 'U', Number(integer[2]), !identifies);
  }
  if (plain.startsWith('DateTime')) {
    return { isValid: isEmptyOr(isDateTime), convert: convertTime, expected: utcTime };
  }
  if (plain === 'Date') {
    return { isValid: isEmptyOr(isDate), expected: requiredDate.expected };
  }
  if (plain === 'Float64') {
    return { isValid: isEmptyOr(isDecimal), expected: 'a number such as 0.03' };
  }
  if (plain === 'Bool') return { isValid: isEmptyOr(isBool), expected: 'true or false' };
  if (plain === 'String') {
    return { isValid: isText, expected: 'text without spaces before an opening quote' };
  }
  throw new Error(`The loader does not support columns of type ${type}`);
}

/** For period_end, whose default, 1970, would be wrong. */
export const requiredDate: FieldCheck = {
  isValid: (bytes, start, end) =>
    isDate(bytes, trimmedStart(bytes, start, end), trimmedEnd(bytes, start, end)),
  expected: 'a date such as 2026-11-15',
};

/** For dtime, which has no default. */
export const requiredTime: FieldCheck = {
  isValid: (bytes, start, end) =>
    isDateTime(bytes, trimmedStart(bytes, start, end), trimmedEnd(bytes, start, end)),
  convert: convertTime,
  expected: 'a UTC time such as 2026-11-15 18:30:00',
};

const utcTime = requiredTime.expected;

/** For the column `masked`. */
export const maskedWords: FieldCheck = {
  isValid: isEmptyOr((bytes, start, end) =>
    isMaskedText(Buffer.from(bytes.subarray(start, end)).toString('utf8')),
  ),
  expected: 'words such as download_mean:above or latency_mean:below, each column once',
};

function wholeNumber(isUnsigned: boolean, bits: number, mayRound: boolean): FieldCheck {
  const span = 2n ** BigInt(bits);
  const min = isUnsigned ? 0n : -span / 2n;
  const max = isUnsigned ? span - 1n : span / 2n - 1n;
  // Numbers with fewer digits than the maximum always fit: 4,294,967,295 has ten digits.
  const safeDigits = String(max).length - 1;

  const isWholeNumber = (bytes: Uint8Array, start: number, end: number): boolean => {
    const firstDigit = !isUnsigned && bytes[start] === minus ? start + 1 : start;
    if (firstDigit === end) return false;
    for (let at = firstDigit; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte < zero || byte > nine) return false;
    }
    if (end - firstDigit <= safeDigits) return true;
    const value = BigInt(Buffer.from(bytes.subarray(start, end)).toString('latin1'));
    return value >= min && value <= max;
  };
  return {
    isValid: isEmptyOr(isWholeNumber),
    convert: (text) => convertWholeNumber(text, { min, max, mayRound }),
    expected: `a whole number from ${min} to ${max}`,
  };
}

// ClickHouse skips spaces around a value.
function isEmptyOr(isValid: FieldCheck['isValid']): FieldCheck['isValid'] {
  return (bytes, fieldStart, fieldEnd) => {
    const start = trimmedStart(bytes, fieldStart, fieldEnd);
    const end = trimmedEnd(bytes, start, fieldEnd);
    if (start === end || isValid(bytes, start, end)) return true;
    return end - start === 2 && bytes[start] === backslash && bytes[start + 1] === letterN;
  };
}

function trimmedStart(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] === blank || bytes[at] === tab)) at++;
  return at;
}

function trimmedEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && (bytes[at - 1] === blank || bytes[at - 1] === tab)) at--;
  return at;
}

// For ClickHouse a quote after spaces opens a quoted field; for the scanner it does not.
function isText(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== blank && bytes[start] !== tab) return true;
  const first = trimmedStart(bytes, start, end);
  return first === end || bytes[first] !== quote;
}

// 2026-11-15 18:30:00 or 2026-11-15T18:30:00, with an optional fraction of a second.
function isDateTime(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < 19 || !isDate(bytes, start, start + 10)) return false;
  const separator = bytes[start + 10];
  return (
    (separator === blank || separator === letterT) &&
    twoDigits(bytes, start + 11) <= 23 &&
    bytes[start + 13] === colon &&
    twoDigits(bytes, start + 14) <= 59 &&
    bytes[start + 16] === colon &&
    twoDigits(bytes, start + 17) <= 59 &&
    (end === start + 19 || isFraction(bytes, start + 19, end))
  );
}

function isFraction(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== point || end - start < 2 || end - start > 10) return false;
  for (let at = start + 1; at < end; at++) if (!isDigit(bytes[at])) return false;
  return true;
}

// From 1970 to 2105: the range of ClickHouse's DateTime, the key of the dictionaries.
function isDate(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== 10 || bytes[start + 4] !== minus || bytes[start + 7] !== minus) return false;
  const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2);
  const month = twoDigits(bytes, start + 5);
  const day = twoDigits(bytes, start + 8);
  if (year < 1970 || year > 2105 || month < 1 || month > 12 || day < 1) return false;
  return day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** NaN, which fails every comparison, when a byte is not a digit. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const [tens, ones] = [bytes[at] ?? 0, bytes[at + 1] ?? 0];
  return isDigit(tens) && isDigit(ones) ? (tens - zero) * 10 + ones - zero : NaN;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine;
}

// ClickHouse would also read nan and inf, and 1e400 as inf.
function isDecimal(bytes: Uint8Array, start: number, end: number): boolean {
  const text = Buffer.from(bytes.subarray(start, end)).toString('latin1');
  return decimal.test(text) && Number.isFinite(Number(text));
}

function isBool(bytes: Uint8Array, start: number, end: number): boolean {
  return ['true', 'false', '0', '1'].includes(
    Buffer.from(bytes.subarray(start, end)).toString('latin1'),
  );
}

const [tab, blank, quote, minus, point] = [0x09, 0x20, 0x22, 0x2d, 0x2e];
const [zero, nine, colon, letterN, letterT, backslash] = [0x30, 0x39, 0x3a, 0x4e, 0x54, 0x5c];
