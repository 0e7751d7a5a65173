import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readBlocks } from '../rows/read-blocks.ts';
import { maxRowBytes, notUtf8 } from '../rows/row-reader.ts';
import type { RejectedRow } from '../rows/scanned-rows.ts';
import { type JsonObject, parseJsonLine } from './json-cells.ts';

export interface JsonLine {
  readonly line: number;
  readonly text: string;
  readonly object: JsonObject;
}

/** Consecutive lines. */
export interface JsonLines {
  readonly lines: readonly JsonLine[];
  /** Lines that are not a JSON object. */
  readonly unreadable: readonly RejectedRow[];
}

/**
 * Reads NDJSON, one object per line, in blocks of 4 MiB. With `linesPerCall`, `onLines` is called several times per
 * block, and other work can run in between.
 */
export async function readJsonLines(
  content: Readable,
  onLines: (lines: JsonLines) => Promise<void>,
  { linesPerCall = Infinity, bytesPerCall = Infinity }: CallLimits = {},
): Promise<void> {
  let nextLine = 1;
  let isSkipping = false;
  await readBlocks(content, blockBytes, async ({ bytes, length, isLast }) => {
    let lines: JsonLine[] = [];
    let unreadable: RejectedRow[] = [];
    let at = 0;
    let calledAt = 0;
    while (at < length) {
      if (lines.length + unreadable.length >= linesPerCall || at - calledAt >= bytesPerCall) {
        await onLines({ lines, unreadable });
        await nextTurn();
        [lines, unreadable, calledAt] = [[], [], at];
      }
      const found = bytes.subarray(at, length).indexOf(lineFeed);
      const isWhole = found !== -1 || isLast;
      const end = found === -1 ? length : at + found;
      if (!isWhole && end - at <= maxRowBytes) break;
      const line = nextLine;
      if (!isSkipping) {
        const parsed = parseLine(bytes.subarray(at, end), line);
        if (parsed !== undefined && 'reason' in parsed) unreadable.push(parsed);
        else if (parsed !== undefined) lines.push(parsed);
      }
      // The rest of a line that is too long follows in the next block.
      isSkipping = !isWhole;
      if (isWhole) nextLine++;
      at = end + (found === -1 ? 0 : 1);
    }
    await onLines({ lines, unreadable });
    return at;
  });
}

interface CallLimits {
  readonly linesPerCall?: number;
  readonly bytesPerCall?: number;
}

/** Larger than the longest line. */
const blockBytes = 4 * 1024 ** 2;
const lineFeed = 0x0a;

function parseLine(bytes: Buffer, line: number): JsonLine | RejectedRow | undefined {
  const unreadable = (reason: string): RejectedRow => ({
    line,
    reason,
    column: '',
    value: '',
    text: Buffer.from(bytes.subarray(0, shownBytes)),
  });
  if (bytes.length > maxRowBytes) return unreadable(`row longer than ${maxRowBytes} bytes`);
  if (!isUtf8(bytes)) return unreadable(notUtf8);
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  if (text === '') return undefined;
  const object = parseJsonLine(text);
  return typeof object === 'string' ? unreadable(object) : { line, text, object };
}

const shownBytes = 64 * 1024;
