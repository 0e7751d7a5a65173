import zlib from 'node:zlib';
import { Decompress } from 'fzstd';

/**
 * Decompresses zstd. Node has it from version 22.15 on; before, fzstd does it, which does not verify checksums.
 * Both are limited to windows of 8 MiB, which every decoder must support (RFC 8878, 3.1.1.1.2).
 */
export async function* unzstd(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (typeof (zlib as Partial<typeof zlib>).createZstdDecompress === 'function') {
    yield* builtInFrames(source);
  } else yield* zstdFrames(source);
}

export class ZstdError extends Error {
  override readonly name = 'ZstdError';
}

const maxWindowLog = 23;
const maxWindowBytes = 2 ** maxWindowLog;
const maxBlockBytes = 128 * 1024;
/** fzstd moves its window with every block: bounds the work on many small blocks. */
const maxMovedBytes = 32 * 1024 ** 3;

async function* builtInFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { ZSTD_d_windowLogMax: windowLogMax } = zlib.constants;
  const stream = zlib.createZstdDecompress({ params: { [windowLogMax]: maxWindowLog } });
  const feed = (async () => {
    for await (const chunk of source) {
      if (!stream.write(chunk)) await new Promise((resolve) => stream.once('drain', resolve));
    }
    stream.end();
  })();
  feed.catch((error: unknown) => stream.destroy(error as Error));
  for await (const chunk of stream) yield chunk as Buffer;
  await feed;
}

/** By fzstd, one frame at a time: its own handling of several frames is recursive. */
async function* zstdFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let frame: Frame | undefined;
  let movedBytes = 0;
  for await (const chunk of source) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      const piece = frame === undefined ? headerLength(held) : blockLength(held, frame);
      if (piece === undefined || held.length < piece) break;
      const bytes = held.subarray(0, piece);
      held = held.subarray(piece);
      if (frame === undefined) {
        // A skippable frame has no content.
        if (isSkippable(bytes)) continue;
        frame = new Frame(bytes);
      } else {
        movedBytes += frame.windowBytes;
        if (movedBytes > maxMovedBytes) throw new ZstdError('the zstd data has too many blocks');
        const isLast = (bytes[0] ?? 0) % 2 === 1;
        yield* frame.decompress(bytes, isLast);
        if (isLast) frame = undefined;
      }
    }
  }
  if (held.length > 0 || frame !== undefined) throw new ZstdError('the zstd data is cut short');
}

class Frame {
  readonly windowBytes: number;
  readonly checksumBytes: number;
  readonly #output: Uint8Array[] = [];
  readonly #decompress = new Decompress((data) => this.#output.push(data));

  constructor(header: Buffer) {
    this.windowBytes = windowBytesOf(header);
    this.checksumBytes = ((header[4] ?? 0) & 4) === 0 ? 0 : 4;
    if (this.windowBytes > maxWindowBytes) {
      throw new ZstdError(`the zstd window is larger than ${maxWindowBytes} bytes`);
    }
    this.#push(header, false);
  }

  *decompress(block: Buffer, isLast: boolean): Generator<Buffer> {
    this.#push(block, isLast);
    // fzstd uses its buffers again.
    for (const data of this.#output.splice(0)) if (data.length > 0) yield Buffer.from(data);
  }

  #push(bytes: Buffer, isLast: boolean): void {
    try {
      this.#decompress.push(bytes, isLast);
    } catch (error) {
      throw new ZstdError('the zstd data is damaged', { cause: error });
    }
  }
}

const magic = 0xfd2fb528;
const isSkippable = (bytes: Buffer) => bytes.readUInt32LE(0) !== magic;

/** The length of a frame's header, or of a whole skippable frame; undefined: it is not complete. */
function headerLength(held: Buffer): number | undefined {
  if (held.length < 8) return undefined;
  const number = held.readUInt32LE(0);
  if (number >>> 4 === 0x184d2a5) {
    const length = 8 + held.readUInt32LE(4);
    if (length > maxBlockBytes)
      throw new ZstdError('the zstd data has a skippable frame that is too large');
    return length;
  }
  if (number !== magic) throw new ZstdError('the body is not zstd');
  const { dictionaryBytes, sizeBytes, isSingleSegment } = descriptorOf(held);
  return 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes + sizeBytes;
}

function descriptorOf(header: Buffer) {
  const descriptor = header[4] ?? 0;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const dictionaryFlag = descriptor & 3;
  return {
    isSingleSegment,
    dictionaryBytes: dictionaryFlag === 3 ? 4 : dictionaryFlag,
    sizeBytes: sizeFlag === 0 ? (isSingleSegment ? 1 : 0) : 2 ** sizeFlag,
  };
}

function windowBytesOf(header: Buffer): number {
  const { isSingleSegment, dictionaryBytes, sizeBytes } = descriptorOf(header);
  if (!isSingleSegment) {
    const window = header[5] ?? 0;
    const base = 2 ** (10 + (window >> 3));
    return base + (base / 8) * (window & 7);
  }
  const at = 5 + dictionaryBytes;
  if (sizeBytes === 8) return Number(header.readBigUInt64LE(at));
  return header.readUIntLE(at, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
}

/** The length of a block with its header, and of the checksum after the last one. */
function blockLength(held: Buffer, { checksumBytes }: Frame): number | undefined {
  if (held.length < 3) return undefined;
  const header = held.readUIntLE(0, 3);
  const type = (header >> 1) & 3;
  const size = header >> 3;
  if (type === 3 || size > maxBlockBytes) throw new ZstdError('the zstd data is damaged');
  return 3 + (type === 1 ? 1 : size) + (header % 2 === 1 ? checksumBytes : 0);
}
