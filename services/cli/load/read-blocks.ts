import type { Readable } from 'node:stream';

/** A stretch of a file, with room for one byte more. */
export interface Block {
  readonly bytes: Buffer;
  readonly length: number;
  readonly isLast: boolean;
}

/** Says how many bytes it dealt with; the rest comes again, in front of the next block. */
export type BlockReader = (block: Block) => Promise<number>;

/**
 * Cuts a stream into blocks of `blockBytes` and hands them over one by one. Where they are cut
 * depends on the content only, so a second run of a file meets the same blocks.
 */
export async function readBlocks(
  source: Readable,
  blockBytes: number,
  read: BlockReader,
): Promise<void> {
  let bytes = Buffer.allocUnsafe(blockBytes + 1);
  let length = 0;
  const handOver = async (isLast: boolean) => {
    const consumed = await read({ bytes, length, isLast });
    // The scanner waits for the rest of a row no longer than a row may be.
    if (consumed === 0 && !isLast) throw new Error(`no row ends within ${length} bytes`);
    // A fresh buffer, since rows of this one may still be on their way to ClickHouse.
    const next = Buffer.allocUnsafe(blockBytes + 1);
    bytes.copy(next, 0, consumed, length);
    bytes = next;
    length -= consumed;
  };
  for await (const chunk of source as AsyncIterable<Buffer>) {
    let taken = 0;
    while (taken < chunk.length) {
      const copied = chunk.copy(bytes, length, taken, taken + blockBytes - length);
      taken += copied;
      length += copied;
      if (length === blockBytes) await handOver(false);
    }
  }
  await handOver(true);
}
