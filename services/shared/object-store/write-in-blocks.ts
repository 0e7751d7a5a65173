interface Sizes {
  readonly blockBytes: number;
  /** How many bytes to buffer while a block is being written. */
  readonly aheadBytes: number;
}

/**
 * Writes a stream in blocks of equal size, one after the other; only the last may be shorter. Memory
 * use is constant: all blocks share one buffer. An empty stream is written as one empty block.
 */
export async function writeInBlocks(
  chunks: AsyncIterable<Buffer>,
  { blockBytes, aheadBytes }: Sizes,
  write: (block: Buffer) => Promise<void>,
): Promise<void> {
  // Not zeroed: unused memory does not become resident.
  const block = Buffer.allocUnsafeSlow(blockBytes);
  const ahead = Buffer.allocUnsafeSlow(aheadBytes);
  let blockFilled = 0;
  let aheadFilled = 0;
  let blocks = 0;
  let writing: Promise<void> | undefined;
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length;) {
        if (writing !== undefined) {
          const copied = chunk.copy(ahead, aheadFilled, at);
          at += copied;
          aheadFilled += copied;
          if (aheadFilled === aheadBytes) await written();
        } else {
          const copied = chunk.copy(block, blockFilled, at);
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
    // Wait for the pending write: nothing may be written after this function has returned.
    await writing?.catch(() => undefined);
    throw error;
  }

  function begin(): void {
    blocks++;
    writing = write(block.subarray(0, blockFilled));
    // The error is thrown where it is awaited.
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
