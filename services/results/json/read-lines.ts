import type { Readable } from 'node:stream';
import { readBlocks } from '../rows/read-blocks.ts';
import { maxRowBytes } from '../rows/row-reader.ts';

interface LineReader {
  /**
   * Receives the line from `start` to `end`, without its line feed. Of a line that is too long it receives the beginning,
   * which is longer than maxRowBytes too.
   */
  readonly onLine: (block: Buffer, start: number, end: number, line: number) => void;
  /** Called after a part of the lines, with their number so far. `isReceived`: the content has ended. */
  readonly onPart: (isReceived: boolean, lineCount: number) => Promise<void>;
}

interface PartLimits {
  readonly linesPerPart?: number;
  readonly bytesPerPart?: number;
  /** Awaited between two parts, so that other work can run. */
  readonly nextTurn?: () => Promise<void>;
}

/** Reads lines in blocks of 4 MiB. Without limits a part is a block. */
export async function readLines(
  content: Readable,
  { onLine, onPart }: LineReader,
  { linesPerPart = Infinity, bytesPerPart = Infinity, nextTurn }: PartLimits = {},
): Promise<void> {
  let line = 1;
  let isSkipping = false;
  await readBlocks(content, blockBytes, async ({ bytes, length, isLast }) => {
    let at = 0;
    let part = { line, at };
    while (at < length) {
      if (line - part.line >= linesPerPart || at - part.at >= bytesPerPart) {
        await onPart(isLast, line - 1);
        await nextTurn?.();
        part = { line, at };
      }
      const found = bytes.indexOf(lineFeed, at);
      const hasLineFeed = found !== -1 && found < length;
      const end = hasLineFeed ? found : length;
      const isWhole = hasLineFeed || isLast;
      if (!isWhole && end - at <= maxRowBytes) break;
      if (!isSkipping) onLine(bytes, at, end, line);
      // The rest of a line that is too long follows in the next block.
      isSkipping = !isWhole;
      if (isWhole) line++;
      at = end + (hasLineFeed ? 1 : 0);
    }
    await onPart(isLast, line - 1);
    if (!isLast) await nextTurn?.();
    return at;
  });
}

/** Larger than the longest line. */
const blockBytes = 4 * 1024 ** 2;
const lineFeed = 0x0a;
