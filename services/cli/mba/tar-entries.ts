import { Readable } from 'node:stream';

export interface TarEntry {
  readonly path: string;
  /** Must be read, or left alone, before the next entry is asked for. */
  readonly content: Readable;
}

const blockSize = 512;

/** The files of a tar archive, one after the other, however large. */
export async function* tarEntries(source: Readable): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(source);
  let longPath: string | undefined;
  for (;;) {
    const header = await bytes.take(blockSize);
    // Two blocks of zeros end an archive; the first will do.
    if (header === undefined || header.every((byte) => byte === 0)) return;
    const size = sizeOf(header);
    const padding = (blockSize - (size % blockSize)) % blockSize;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'L' || type === 'x') {
      const text = (await bytes.take(size))?.toString('utf8') ?? '';
      longPath = type === 'L' ? untilZero(text) : (paxPath(text) ?? longPath);
    } else {
      const content = bytes.stretch(size);
      if (type === '0' || type === '\0') {
        const stream = Readable.from(content, { objectMode: false });
        yield { path: longPath ?? pathOf(header), content: stream };
        // Waits for a piece that is under way, which would be lost otherwise.
        await content.return(undefined);
      }
      await bytes.skipStretch();
      longPath = undefined;
    }
    await bytes.take(padding);
  }
}

/** Hands out the bytes of a stream in the amounts asked for. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  #stretchLeft = 0;

  constructor(source: Readable) {
    this.#chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Exactly so many bytes, or undefined when the stream ends where they would begin. */
  async take(count: number): Promise<Buffer | undefined> {
    const pieces: Buffer[] = [];
    for (let missing = count; missing > 0;) {
      const piece = await this.#upTo(missing);
      if (piece === undefined) {
        if (missing === count) return undefined;
        throw new Error('The archive ends in the middle of a file');
      }
      pieces.push(piece);
      missing -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  /** The next bytes as a stream; what is not read of them is skipped afterwards. */
  stretch(size: number): AsyncGenerator<Buffer> {
    this.#stretchLeft = size;
    return this.#restOfStretch();
  }

  async skipStretch(): Promise<void> {
    const rest = this.#restOfStretch();
    while ((await rest.next()).done !== true);
  }

  async *#restOfStretch(): AsyncGenerator<Buffer> {
    while (this.#stretchLeft > 0) {
      const piece = await this.#upTo(this.#stretchLeft);
      if (piece === undefined) throw new Error('The archive ends in the middle of a file');
      this.#stretchLeft -= piece.length;
      yield piece;
    }
  }

  async #upTo(count: number): Promise<Buffer | undefined> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return undefined;
      this.#rest = next.value;
    }
    const piece = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }
}

// Octal text; from 8 GiB on a number in base 256, marked by its first bit.
function sizeOf(header: Buffer): number {
  const field = header.subarray(124, 136);
  if (((field[0] ?? 0) & 0x80) !== 0) return Number(field.readBigUInt64BE(4));
  return Number.parseInt(untilZero(field.toString('latin1')).trim() || '0', 8);
}

function pathOf(header: Buffer): string {
  const name = untilZero(header.toString('utf8', 0, 100));
  const isUstar = header.toString('latin1', 257, 262) === 'ustar';
  const prefix = isUstar ? untilZero(header.toString('utf8', 345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

// `30 path=a/very/long/name.csv\n`
function paxPath(text: string): string | undefined {
  return /^\d+ path=(.*)$/m.exec(text)?.[1];
}

function untilZero(text: string): string {
  return text.split('\0', 1)[0] ?? '';
}
