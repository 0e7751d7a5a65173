import { Decompress, decompress } from 'fzstd';
import xxhash, { type XXHash, type XXHashAPI } from 'xxhash-wasm';

export interface ZstdLimits {
  /** The largest window that a frame may need, as a power of two. */
  readonly maxWindowLog: number;
  /** Bounds the work on many small blocks: fzstd moves its window with every block. Default: no limit. */
  readonly maxMovedBytes?: number;
  /** Awaited with the size of a frame's window, before it is allocated. */
  readonly onWindow?: (bytes: number) => Promise<void>;
  /** Awaited after some milliseconds of work, so that other work can run. */
  readonly nextTurn?: () => Promise<void>;
}

const maxBlockBytes = 128 * 1024;
const bytesPerTurn = 32 * 1024 ** 2;
/** The data is not zstd, damaged, cut short or exceeds a limit. */
export class ZstdError extends Error {
  override readonly name = 'ZstdError';
}

/** Decompresses a page of a Parquet file. */
export function unzstdSync(input: Uint8Array): Uint8Array {
  try {
    return decompress(input);
  } catch (error) {
    throw new ZstdError('the zstd data is damaged', { cause: error });
  }
}

/**
 * Decompresses zstd with fzstd: Node's own decompression, from version 22.15 on, does not detect incomplete data. Verifies
 * checksums, which fzstd does not. One frame at a time, because fzstd handles several frames by recursion.
 */
export async function* unzstd(
  source: AsyncIterable<Buffer>,
  { maxWindowLog, maxMovedBytes = Infinity, onWindow, nextTurn }: ZstdLimits,
): AsyncGenerator<Buffer> {
  const hashes = await (xxhashModule ??= xxhash());
  let held: Buffer = Buffer.alloc(0);
  let frame: Frame | undefined;
  let movedBytes = 0;
  let turnBytes = 0;
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
        const windowBytes = windowBytesOf(bytes);
        if (windowBytes > 2 ** maxWindowLog) {
          throw new ZstdError(`the zstd window is larger than ${2 ** maxWindowLog} bytes`);
        }
        await onWindow?.(windowBytes);
        frame = new Frame(bytes, windowBytes, hashes);
      } else {
        movedBytes += frame.windowBytes;
        if (movedBytes > maxMovedBytes) throw new ZstdError('the zstd data has too many blocks');
        const isLast = (bytes[0] ?? 0) % 2 === 1;
        yield* frame.decompress(bytes, isLast);
        turnBytes += frame.windowBytes + maxBlockBytes;
        if (turnBytes > bytesPerTurn) {
          turnBytes = 0;
          await nextTurn?.();
        }
        if (isLast) frame = undefined;
      }
    }
  }
  if (held.length > 0 || frame !== undefined) throw new ZstdError('the zstd data is cut short');
}

let xxhashModule: Promise<XXHashAPI> | undefined;

class Frame {
  readonly windowBytes: number;
  readonly checksumBytes: number;
  readonly #hash: XXHash<bigint> | undefined;
  readonly #output: Uint8Array[] = [];
  readonly #decompress = new Decompress((data) => this.#output.push(data));

  constructor(header: Buffer, windowBytes: number, hashes: XXHashAPI) {
    this.windowBytes = windowBytes;
    this.checksumBytes = ((header[4] ?? 0) & 4) === 0 ? 0 : 4;
    this.#hash = this.checksumBytes === 0 ? undefined : hashes.create64();
    this.#push(header, false);
  }

  *decompress(block: Buffer, isLast: boolean): Generator<Buffer> {
    this.#push(block, isLast);
    // fzstd uses its buffers again.
    for (const data of this.#output.splice(0)) {
      if (data.length === 0) continue;
      this.#hash?.update(data);
      yield Buffer.from(data);
    }
    if (isLast) this.#verify(block.subarray(block.length - this.checksumBytes));
  }

  /** The checksum is the lower half of the content's XXH64. */
  #verify(checksum: Buffer): void {
    if (this.#hash === undefined) return;
    if (Number(BigInt.asUintN(32, this.#hash.digest())) === checksum.readUInt32LE(0)) return;
    throw new ZstdError('the checksum is wrong: the zstd data is damaged');
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
  if (number !== magic) throw new ZstdError('the data is not zstd');
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
