/** Whether the bytes from `start` to `end` are a value of a column, without its quotes. */
export interface FieldCheck {
  readonly isGood: (bytes: Uint8Array, start: number, end: number) => boolean;
  /** Completes "bytes_sec is …": `not a whole number from 0 to 255`. */
  readonly complaint: string;
}

/**
 * The check for a column's ClickHouse type. ClickHouse parses the value itself, but without a word
 * where we want one: 300 becomes 44 in a UInt8, and a year 3000 becomes 2299.
 *
 * An empty field and \N are good everywhere: the column's default is stored.
 */
export function fieldCheck(type: string): FieldCheck {
  const plain = /^(?:Nullable|LowCardinality)\((.+)\)$/.exec(type)?.[1] ?? type;
  const integer = /^(U?)Int(8|16|32|64)$/.exec(plain);
  if (integer !== null) return wholeNumber(integer[1] === 'U', Number(integer[2]));
  if (plain.startsWith('DateTime')) return { isGood: isEmptyOr(isDateTime), complaint: notATime };
  if (plain === 'Date') return { isGood: isEmptyOr(isDate), complaint: 'not a date as 2026-11-15' };
  if (plain === 'Bool') return { isGood: isEmptyOr(isBool), complaint: 'neither true nor false' };
  if (plain === 'String') return { isGood: isText, complaint: 'text with a quote out of place' };
  throw new Error(`The loader has no check for columns of type ${type}`);
}

/** The time of a result must be there: nothing can stand in for it. */
export const requiredTime: FieldCheck = {
  isGood: (bytes, start, end) =>
    isDateTime(bytes, trimmedStart(bytes, start, end), trimmedEnd(bytes, start, end)),
  complaint: 'not a UTC time as 2026-11-15 18:30:00',
};

const notATime = requiredTime.complaint;

function wholeNumber(isUnsigned: boolean, bits: number): FieldCheck {
  const span = 2n ** BigInt(bits);
  const min = isUnsigned ? 0n : -span / 2n;
  const max = isUnsigned ? span - 1n : span / 2n - 1n;
  // As many digits as always fit: 4,294,967,295 has ten, so nine need no closer look.
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
    isGood: isEmptyOr(isWholeNumber),
    complaint: `not a whole number from ${min} to ${max}`,
  };
}

// ClickHouse skips blanks around a value.
function isEmptyOr(isGood: FieldCheck['isGood']): FieldCheck['isGood'] {
  return (bytes, fieldStart, fieldEnd) => {
    const start = trimmedStart(bytes, fieldStart, fieldEnd);
    const end = trimmedEnd(bytes, start, fieldEnd);
    if (start === end || isGood(bytes, start, end)) return true;
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

// A quote after blanks would open a quoted field in ClickHouse's eyes and not in ours.
function isText(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== blank && bytes[start] !== tab) return true;
  const first = trimmedStart(bytes, start, end);
  return first === end || bytes[first] !== quote;
}

// 2026-11-15 18:30:00, with T for the blank and any fraction of a second.
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

// From 1970 to 2105: what ClickHouse's dictionaries look up by.
function isDate(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== 10 || bytes[start + 4] !== minus || bytes[start + 7] !== minus) return false;
  const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2);
  const month = twoDigits(bytes, start + 5);
  const day = twoDigits(bytes, start + 8);
  if (year < 1970 || year > 2105 || month < 1 || month > 12 || day < 1) return false;
  return day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** NaN, which fails every comparison, when they are no digits. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const [tens, ones] = [bytes[at] ?? 0, bytes[at + 1] ?? 0];
  return isDigit(tens) && isDigit(ones) ? (tens - zero) * 10 + ones - zero : NaN;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine;
}

function isBool(bytes: Uint8Array, start: number, end: number): boolean {
  return ['true', 'false', '0', '1'].includes(
    Buffer.from(bytes.subarray(start, end)).toString('latin1'),
  );
}

const [tab, blank, quote, minus, point] = [0x09, 0x20, 0x22, 0x2d, 0x2e];
const [zero, nine, colon, letterN, letterT, backslash] = [0x30, 0x39, 0x3a, 0x4e, 0x54, 0x5c];
