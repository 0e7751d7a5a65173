/** The text is not an array. The message completes "not a JSON array of objects: …". */
export class JsonArrayError extends Error {
  override readonly name = 'JsonArrayError';
}

/**
 * The elements of a JSON array as lines: element 3 is line 3. Elements are found by their brackets and quotes and
 * parsed later, so a large array is never in memory as a whole.
 */
export async function* jsonArrayLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const scan = new ArrayScan();
  for await (const chunk of source) yield scan.read(chunk);
  scan.end();
}

type Place = 'start' | 'element or end' | 'element' | 'in element' | 'after array';

class ArrayScan {
  #place: Place = 'start';
  /** Open brackets of the element. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** The bytes of the elements in a chunk, with a line feed after each element. */
  read(chunk: Buffer): Buffer {
    const lines = Buffer.allocUnsafe(chunk.length + 1);
    let length = 0;
    for (const byte of chunk) {
      if (this.#place === 'in element') {
        lines[length++] = this.#inElement(byte);
      } else if (!isBlank(byte)) {
        if (this.#outside(byte)) lines[length++] = byte;
      }
    }
    return lines.subarray(0, length);
  }

  end(): void {
    if (this.#place === 'start') throw new JsonArrayError('it is empty');
    if (this.#place !== 'after array') throw new JsonArrayError('the closing ] is missing');
  }

  /** Returns whether the byte begins an element. */
  #outside(byte: number): boolean {
    if (this.#place === 'start') {
      // A byte-order mark.
      if (byte >= 0xbb && byte !== openBracket) return false;
      if (byte !== openBracket) throw new JsonArrayError('it does not begin with [');
      this.#place = 'element or end';
      return false;
    }
    if (this.#place === 'after array')
      throw new JsonArrayError('there is text after the closing ]');
    if (byte === closeBracket && this.#place === 'element or end') {
      this.#place = 'after array';
      return false;
    }
    if (byte === comma || byte === closeBracket) throw new JsonArrayError('an element is missing');
    this.#place = 'in element';
    this.#inElement(byte);
    return true;
  }

  /** Returns the byte to write. */
  #inElement(byte: number): number {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isInString = false;
      // A line feed in a string is not JSON. It stays one row, which is rejected.
      return byte === lineFeed ? unitSeparator : byte;
    }
    if (byte === quote) this.#isInString = true;
    else if (byte === openBrace || byte === openBracket) this.#depth++;
    else if (byte === closeBrace || (byte === closeBracket && this.#depth > 0)) this.#depth--;
    else if (byte === closeBracket) {
      this.#place = 'after array';
      return lineFeed;
    } else if (byte === comma && this.#depth <= 0) {
      this.#place = 'element';
      this.#depth = 0;
      return lineFeed;
    }
    return byte === lineFeed || byte === carriageReturn ? blank : byte;
  }
}

function isBlank(byte: number): boolean {
  return byte === blank || byte === lineFeed || byte === carriageReturn || byte === tab;
}

const [tab, lineFeed, carriageReturn, unitSeparator, blank] = [0x09, 0x0a, 0x0d, 0x1f, 0x20];
const [quote, comma, openBracket, backslash, closeBracket] = [0x22, 0x2c, 0x5b, 0x5c, 0x5d];
const [openBrace, closeBrace] = [0x7b, 0x7d];
