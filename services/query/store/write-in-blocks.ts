interface Sizes {
  readonly blockBytes: number;
  /** How much may arrive while a block is being written. */
  readonly aheadBytes: number;
}

/**
 * Writes a stream in blocks of one size, one after the other; only the last may be shorter. The same
 * memory is used for all of them, so it does not grow with the stream. An empty stream is one empty
 * block.
 */
export async function writeInBlocks(
  pieces: AsyncIterable<Buffer>,
  { blockBytes, aheadBytes }: Sizes,
  write: (block: Buffer) => Promise<void>,
): Promise<void> {
  // Not zeroed: memory that is never filled is never resident.
  const block = Buffer.allocUnsafeSlow(blockBytes);
  const ahead = Buffer.allocUnsafeSlow(aheadBytes);
  let blockFilled = 0;
  let aheadFilled = 0;
  let blocks = 0;
  let writing: Promise<void> | undefined;
  try {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length;) {
        if (writing !== undefined) {
          const copied = piece.copy(ahead, aheadFilled, at);
          at += copied;
          aheadFilled += copied;
          if (aheadFilled === aheadBytes) await written();
        } else {
          const copied = piece.copy(block, blockFilled, at);
          at += copied;
          blockFilled += copied;
          if (blockFilled === blockBytes) begin();
        }
      }
    }
    if (writing !== undefined) await written();
    if (blockFilled > 0 || blocks === 0) begin();
    await writing;
  } catch (error) {
    // Nothing may be written once this has returned.
    await writing?.catch(() => undefined);
    throw error;
  }

  function begin(): void {
    blocks++;
    writing = write(block.subarray(0, blockFilled));
    // Reported where it is awaited.
    writing.catch(() => undefined);
  }

  async function written(): Promise<void> {
    await writing;
    writing = undefined;
    ahead.copy(block, 0, 0, aheadFilled);
    blockFilled = aheadFilled;
    aheadFilled = 0;
  }
}
