import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { maxRowBytes, notUtf8 } from '../rows/row-reader.ts';
import type { RejectedRow } from '../rows/scanned-rows.ts';
import { type JsonObject, parseJsonLine } from './json-cells.ts';
import { readLines } from './read-lines.ts';

export interface JsonLine {
  readonly line: number;
  readonly text: string;
  readonly object: JsonObject;
}

/** Consecutive lines. */
interface JsonLines {
  readonly lines: readonly JsonLine[];
  /** Lines that are not a JSON object. */
  readonly unreadable: readonly RejectedRow[];
}

/** Reads NDJSON, one object per line, in blocks of 4 MiB. */
export async function readJsonLines(
  content: Readable,
  onLines: (lines: JsonLines) => Promise<void>,
): Promise<void> {
  let lines: JsonLine[] = [];
  let unreadable: RejectedRow[] = [];
  await readLines(content, {
    onLine: (block, start, end, line) => {
      const parsed = parseLine(block.subarray(start, end), line);
      if (parsed === undefined) return;
      if ('reason' in parsed) unreadable.push(parsed);
      else lines.push(parsed);
    },
    onPart: async () => {
      await onLines({ lines, unreadable });
      [lines, unreadable] = [[], []];
    },
  });
}

/** Undefined if the line is blank. */
export function parseLine(bytes: Buffer, line: number): JsonLine | RejectedRow | undefined {
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
