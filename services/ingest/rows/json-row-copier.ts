import { maxRowBytes } from '../../results/rows/row-reader.ts';

/**
 * Finds the values of a JSON object in its bytes, which is several times as fast as parsing it. Works only for an object
 * with the expected keys in order, and values that are spelled the same in CSV: ASCII text without escapes, commas and
 * outer spaces, numbers as JavaScript writes them, true, false and null.
 */
export class JsonRowCopier {
  readonly #keys: readonly Buffer[];
  /** The column of each key. */
  readonly #columns: readonly number[];
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;

  /** `keys`: at least one. `columns`: the column of each key, each at most once. */
  constructor(keys: readonly string[], columns: readonly number[], columnCount: number) {
    this.#keys = keys.map((key) => Buffer.from(JSON.stringify(key)));
    this.#columns = columns;
    this.#starts = new Uint32Array(columnCount);
    this.#ends = new Uint32Array(columnCount);
  }

  /** Finds the values of the object from `start` to `end`. False if it must be parsed. */
  find(block: Buffer, start: number, end: number): boolean {
    if (end - start > maxRowBytes || block[start] !== openingBrace) return false;
    const last = this.#keys.length - 1;
    let at = start + 1;
    for (let i = 0; i <= last; i++) {
      const key = this.#keys[i];
      if (key === undefined) return false;
      at = afterBlanks(block, at);
      if (!isAt(block, at, key)) return false;
      at = afterBlanks(block, at + key.length);
      if (block[at++] !== colon) return false;
      const valueEnd = this.#findValue(block, afterBlanks(block, at), i);
      if (valueEnd === mustBeParsed) return false;
      at = afterBlanks(block, valueEnd);
      if (block[at++] !== (i === last ? closingBrace : comma)) return false;
    }
    while (at < end && (block[at] === blank || block[at] === carriageReturn)) at++;
    // Bytes after the end may have been taken for a part of the object.
    return at === end;
  }

  /** Writes the values that were found last as a CSV line. Returns the offset after it. */
  writeLine(block: Buffer, target: Buffer, targetStart: number): number {
    let at = targetStart;
    for (let column = 0; column < this.#starts.length; column++) {
      if (column > 0) target[at++] = comma;
      const end = this.#ends[column] ?? 0;
      for (let from = this.#starts[column] ?? 0; from < end; from++)
        target[at++] = block[from] ?? 0;
    }
    target[at++] = lineFeed;
    return at;
  }

  /** Returns the offset after the value of a key. */
  #findValue(block: Buffer, start: number, key: number): number {
    const byte = block[start];
    if (byte === quote) {
      const end = textEnd(block, start + 1);
      return end === mustBeParsed ? end : this.#found(key, start + 1, end, end + 1);
    }
    if (byte === letterN) {
      return isAt(block, start, nullWord)
        ? this.#found(key, 0, 0, start + nullWord.length)
        : mustBeParsed;
    }
    if (byte === letterT || byte === letterF) {
      const word = byte === letterT ? trueWord : falseWord;
      const end = start + word.length;
      return isAt(block, start, word) ? this.#found(key, start, end, end) : mustBeParsed;
    }
    const end = numberEnd(block, start);
    return end === mustBeParsed ? end : this.#found(key, start, end, end);
  }

  #found(key: number, start: number, end: number, next: number): number {
    const column = this.#columns[key] ?? 0;
    this.#starts[column] = start;
    this.#ends[column] = end;
    return next;
  }
}

function afterBlanks(block: Buffer, start: number): number {
  let at = start;
  while (block[at] === blank) at++;
  return at;
}

/** The offset of the closing quote. */
function textEnd(block: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const byte = block[at] ?? 0;
    if (byte === quote) break;
    if (byte < blank || byte > lastAscii || byte === comma || byte === backslash)
      return mustBeParsed;
    at++;
  }
  return at > start && (block[start] === blank || block[at - 1] === blank) ? mustBeParsed : at;
}

/** The offset after a number. Must be parsed if JavaScript would write it in another way. */
function numberEnd(block: Buffer, start: number): number {
  const first = block[start] === minus ? start + 1 : start;
  const point = digitsEnd(block, first);
  const startsWithZero = block[first] === zero;
  if (point === first || (startsWithZero && point - first > 1)) return mustBeParsed;
  if (block[point] !== decimalPoint) {
    const isMinusZero = startsWithZero && first > start;
    return isMinusZero || point - first > maxDigits ? mustBeParsed : point;
  }
  const end = digitsEnd(block, point + 1);
  // 0.0000001 is 1e-7.
  const isSmall = startsWithZero && digitsEnd(block, point + 1, zero) - point > 6;
  const endsWithZero = block[end - 1] === zero;
  return end === point + 1 || isSmall || endsWithZero || end - first > maxDigits
    ? mustBeParsed
    : end;
}

function digitsEnd(block: Buffer, start: number, largest = nine): number {
  let at = start;
  for (;;) {
    const byte = block[at] ?? 0;
    if (byte < zero || byte > largest) return at;
    at++;
  }
}

function isAt(block: Buffer, start: number, word: Buffer): boolean {
  for (let i = 0; i < word.length; i++) if (block[start + i] !== word[i]) return false;
  return true;
}

const [nullWord, trueWord, falseWord] = [
  Buffer.from('null'),
  Buffer.from('true'),
  Buffer.from('false'),
];
/** Instead of an offset. */
const mustBeParsed = -1;
/** JavaScript numbers have 15 exact decimal digits. */
const maxDigits = 15;
const [lineFeed, carriageReturn, blank, quote, comma, minus] = [0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x2d];
const [decimalPoint, zero, nine, colon, backslash] = [0x2e, 0x30, 0x39, 0x3a, 0x5c];
const [letterF, letterN, letterT, openingBrace, closingBrace] = [0x66, 0x6e, 0x74, 0x7b, 0x7d];
const lastAscii = 0x7e;
