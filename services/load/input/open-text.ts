import {
  PassThrough,
  pipeline,
  type Readable,
  Transform,
  type TransformCallback,
} from 'node:stream';
import { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';
import { detectEncoding, type Encoding } from './text-encoding.ts';
import { unzstd, type ZstdLimits } from '../../results/compression/unzstd.ts';

/** A file as UTF-8 text with LF or CRLF line ends. */
export interface TextInput {
  readonly content: Readable;
  /** What was detected. Complete when `content` has its first byte. */
  readonly format: TextFormat;
}

interface TextFormat {
  encoding: Encoding;
  lineEnds: 'LF' | 'CRLF' | 'CR';
  /** Without a single byte. */
  isEmpty: boolean;
}

interface OpenOptions {
  /** undefined: detected from the beginning of the file. */
  readonly encoding?: Encoding | undefined;
  /** Counts the bytes before decompression. */
  readonly onBytes?: (count: number) => void;
}

/** Decompresses and decodes. */
export function openText(raw: Readable, { encoding, onBytes }: OpenOptions = {}): TextInput {
  const decoder = new TextDecoderStep(encoding);
  const content = decompressed(raw, onBytes ?? (() => undefined));
  pipeline(content, decoder, () => undefined);
  return { content: decoder, format: decoder.format };
}

/** Detects gzip and zstd by their first bytes, not by the file name. */
export function decompressed(raw: Readable, onBytes: (count: number) => void): Readable {
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onBytes(chunk.length);
      done(null, chunk);
    },
  });
  const output = new PassThrough();
  // A failing pipeline destroys `output` with its error.
  const fail = (error?: Error | null) => {
    if (error) output.destroy(error);
  };
  pipeline(raw, counted, fail);
  counted.once('readable', () => {
    // The reader has stopped. A pipeline into a destroyed stream throws from Node 22 on.
    if (output.destroyed) {
      counted.destroy();
      return;
    }
    const head = counted.read() as Buffer | null;
    if (head === null) {
      output.end();
      return;
    }
    counted.unshift(head);
    if (head[0] === 0x1f && head[1] === 0x8b) pipeline(counted, createGunzip(), output, fail);
    else if (head.subarray(0, 4).equals(zstdMagic)) pipeline(counted, unzstdFile, output, fail);
    else pipeline(counted, output, fail);
  });
  return output;
}

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

function unzstdFile(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  return unzstd(source, zstdLimits);
}

/** The default of the program zstd. */
const zstdLimits: ZstdLimits = { maxWindowLog: 27 };

/** Converts text to UTF-8, and line ends of CR alone to LF. Plain UTF-8 passes unchanged. */
class TextDecoderStep extends Transform {
  readonly format: TextFormat = { encoding: 'utf-8', lineEnds: 'LF', isEmpty: true };
  readonly #wanted: Encoding | undefined;
  /** Bytes before the format is known. */
  #head: Buffer[] = [];
  #headBytes = 0;
  #isDetected = false;
  #decoder: TextDecoder | undefined;

  constructor(encoding: Encoding | undefined) {
    super({ readableHighWaterMark: 1024 * 1024 });
    this.#wanted = encoding;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#isDetected) {
      this.#pass(chunk);
    } else {
      this.#head.push(chunk);
      this.#headBytes += chunk.length;
      if (this.#headBytes >= headBytes) this.#detect(false);
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    if (!this.#isDetected) this.#detect(true);
    const rest = this.#decoder?.decode() ?? '';
    if (rest !== '') this.push(this.#withLineFeeds(Buffer.from(rest)));
    done();
  }

  // A pipeline destroys its streams with the error of the one that failed.
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    done(error && readError(error));
  }

  #detect(isWholeFile: boolean): void {
    const head = Buffer.concat(this.#head);
    this.#head = [];
    this.#isDetected = true;
    const encoding = this.#wanted ?? detectEncoding(head.subarray(0, headBytes), isWholeFile);
    if (encoding !== 'utf-8') this.#decoder = new TextDecoder(encoding);
    const decoded = this.#decode(head);
    Object.assign(this.format, {
      encoding,
      lineEnds: detectLineEnds(decoded),
      isEmpty: head.length === 0,
    });
    if (decoded.length > 0) this.push(this.#withLineFeeds(decoded));
  }

  #pass(chunk: Buffer): void {
    const decoded = this.#withLineFeeds(this.#decode(chunk));
    if (decoded.length > 0) this.push(decoded);
  }

  #decode(chunk: Buffer): Buffer {
    if (this.#decoder === undefined) return chunk;
    return Buffer.from(this.#decoder.decode(chunk, { stream: true }));
  }

  #withLineFeeds(text: Buffer): Buffer {
    if (this.format.lineEnds !== 'CR') return text;
    const copy = Buffer.from(text);
    for (let at = copy.indexOf(cr); at !== -1; at = copy.indexOf(cr, at + 1)) copy[at] = lf;
    return copy;
  }
}

const headBytes = 64 * 1024;
const [lf, cr] = [0x0a, 0x0d];

// CR alone only if the beginning has no LF at all: a CR within a field is not a line end.
function detectLineEnds(head: Buffer): TextFormat['lineEnds'] {
  const lineFeed = head.indexOf(lf);
  if (lineFeed !== -1) return head[lineFeed - 1] === cr ? 'CRLF' : 'LF';
  const first = head.indexOf(cr);
  return first !== -1 && first < head.length - 1 ? 'CR' : 'LF';
}

function readError(error: Error): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return new Error('the gzip data is cut short', { cause: error });
  if (code?.startsWith('Z_') === true) {
    return new Error('the gzip data is damaged', { cause: error });
  }
  // ERR_ are errors of Node itself.
  return code !== undefined && /^E(?!RR_)/.test(code)
    ? new Error('the file cannot be read', { cause: error })
    : error;
}
