import type { Readable } from 'node:stream';
import { HeaderError } from '../columns/file-plan.ts';

/** Consecutive bytes of a file. The buffer has room for one more byte. */
export interface Block {
  readonly bytes: Buffer;
  readonly length: number;
  readonly isLast: boolean;
}

/** Returns the number of bytes it consumed; the rest is repeated at the start of the next block. */
export type BlockReader = (block: Block) => Promise<number>;

/**
 * Splits a stream into blocks of `blockBytes` and passes them to `read` one by one. The boundaries
 * depend only on the content, so a second run of a file produces the same blocks.
 */
export async function readBlocks(
  source: Readable,
  blockBytes: number,
  read: BlockReader,
): Promise<void> {
  let bytes: Buffer = Buffer.allocUnsafe(Math.min(firstBytes, blockBytes) + 1);
  let length = 0;
  const readBlock = async (isLast: boolean) => {
    const consumed = await read({ bytes, length, isLast });
    // The scanner consumes a row that exceeds the limit, so this is never 0.
    if (consumed === 0 && !isLast) throw new Error(`No row ends within ${length} bytes`);
    if (isLast) return;
    // A new buffer: rows of this one may still be in an INSERT.
    const next = Buffer.allocUnsafe(blockBytes + 1);
    bytes.copy(next, 0, consumed, length);
    bytes = next;
    length -= consumed;
  };
  for await (const chunk of source as AsyncIterable<Buffer>) {
    let taken = 0;
    while (taken < chunk.length) {
      bytes = withRoom(bytes, length, length + chunk.length - taken, blockBytes);
      const copied = chunk.copy(bytes, length, taken, taken + blockBytes - length);
      taken += copied;
      length += copied;
      if (length === blockBytes) await readBlock(false);
    }
  }
  await readBlock(true);
}

/** A small input, such as a request with one row, needs no whole block. */
const firstBytes = 64 * 1024;

function withRoom(bytes: Buffer, length: number, needed: number, blockBytes: number): Buffer {
  if (bytes.length > Math.min(needed, blockBytes)) return bytes;
  const larger = Buffer.allocUnsafe(Math.min(Math.max(needed, 4 * bytes.length), blockBytes) + 1);
  bytes.copy(larger, 0, 0, length);
  return larger;
}

/** The offset after the first line of a file, which has at most `maxBytes`. Throws a HeaderError. */
export function endOfHeader({ bytes, length, isLast }: Block, maxBytes: number): number {
  const lineEnd = bytes.subarray(0, length).indexOf(0x0a);
  const end = lineEnd === -1 ? length : lineEnd + 1;
  if (end <= maxBytes && (lineEnd !== -1 || isLast)) return end;
  throw new HeaderError(`the header line is longer than ${maxBytes} bytes`);
}
