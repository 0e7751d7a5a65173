import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Separator } from '../../results/csv/parse-csv.ts';
import { HeaderError } from '../../results/columns/file-plan.ts';
import { JsonArrayError, jsonArrayLines } from '../../results/json/json-array-lines.ts';
import { type JsonLine, parseLine } from '../../results/json/json-lines.ts';
import { readLines } from '../../results/json/read-lines.ts';
import { detectSeparator, headerNames } from '../../results/rows/dialect.ts';
import { readBlocks } from '../../results/rows/read-blocks.ts';
import type { RejectedRow } from '../../results/rows/scanned-rows.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import type { ResultsFormat } from '../request/content-type.ts';
import { JsonText } from './json-text.ts';
import { openRows, type OpenRows, type RowBlock } from './open-rows.ts';
import type { ResultsTarget } from './results-target.ts';

/** Receives the rows of a body, block by block. */
export interface RowsReader {
  onBlock(open: OpenRows, block: RowBlock, rejected: readonly RejectedRow[]): Promise<void>;
  /** Called after a block when the body has been received to its end, perhaps before its other rows are scanned. */
  onReceived(open: OpenRows): void;
}

/**
 * Reads and scans the rows of a body, in parts between which other requests can run. Memory is bounded by the size of a
 * block. Throws a HeaderError.
 */
export async function readRows(
  content: Readable,
  format: ResultsFormat,
  target: ResultsTarget,
  reader: RowsReader,
): Promise<void> {
  if (format === 'csv') await readCsv(content, target, reader);
  else if (format === 'ndjson') await readJson(content, target, reader);
  else {
    const lines = Readable.from(jsonArrayLines(content), { objectMode: false });
    try {
      await readJson(lines, target, reader);
    } catch (error) {
      if (!(error instanceof JsonArrayError)) throw error;
      throw new AppError('BAD_REQUEST', {
        publicMessage: `The request body is not a JSON array of objects: ${error.message}`,
      });
    }
  }
}

/** Larger than the longest row. */
const blockBytes = 4 * 1024 ** 2;

/** A part takes some milliseconds. A row may be longer. */
const partBytes = 64 * 1024;
const partLines = 2_000;

/** Many times the names of all columns of a test. */
const maxHeaderBytes = 64 * 1024;

async function readCsv(
  content: Readable,
  target: ResultsTarget,
  reader: RowsReader,
): Promise<void> {
  let open: OpenRows | undefined;
  await readBlocks(content, blockBytes, async ({ bytes, length, isLast }) => {
    let at = 0;
    if (open === undefined) {
      at = endOfHeader(bytes, length, isLast);
      const header = bytes.toString('utf8', 0, at);
      if (header.trim() === '') throw new HeaderError('the body is empty, or line 1 is blank');
      const separator = detectSeparator(header);
      open = openRows(headerNames(header, separator), separator, 2, target);
    }
    let wanted = partBytes;
    while (at < length) {
      const end = Math.min(at + wanted, length);
      const isEnd = end === length;
      const part = bytes.subarray(at, end + 1);
      // The scanner writes a line feed there.
      const next = bytes[end] ?? 0;
      const rows = open.scanner.scan(part, end - at, isLast && isEnd);
      bytes[end] = next;
      // No row ends in the part.
      wanted = rows.consumedBytes === 0 ? 4 * wanted : partBytes;
      at += rows.consumedBytes;
      if (rows.consumedBytes > 0) await reader.onBlock(open, { bytes: part, rows }, rows.rejected);
      if (isLast) reader.onReceived(open);
      if (isEnd) break;
      await nextTurn();
    }
    return at;
  });
}

function endOfHeader(bytes: Buffer, length: number, isLast: boolean): number {
  const lineEnd = bytes.subarray(0, length).indexOf(0x0a);
  const end = lineEnd === -1 ? length : lineEnd + 1;
  if (end <= maxHeaderBytes && (lineEnd !== -1 || isLast)) return end;
  throw new HeaderError(`the header line is longer than ${maxHeaderBytes} bytes`);
}

async function readJson(
  content: Readable,
  target: ResultsTarget,
  reader: RowsReader,
): Promise<void> {
  let text: JsonText | undefined;
  let open: OpenRows | undefined;
  let first: JsonLine[] = [];
  let unreadable: RejectedRow[] = [];
  const onLine = (block: Buffer, start: number, end: number, line: number) => {
    if (text?.copy(block, start, end, line) === true) return;
    const parsed = parseLine(block.subarray(start, end), line);
    if (parsed === undefined) return;
    if ('reason' in parsed) unreadable.push(parsed);
    else if (text === undefined) first.push(parsed);
    else text.add(parsed);
  };
  const onPart = async (isReceived: boolean) => {
    text ??= new JsonText(target.columns, first);
    for (const line of first) text.add(line);
    open ??= openRows(text.columns, comma, 1, target);
    const { bytes, length, rejected } = text.take();
    const rows = open.scanner.scan(bytes, length, true);
    const all = [...unreadable, ...rejected, ...rows.rejected].sort(byLine);
    [first, unreadable] = [[], []];
    await reader.onBlock(open, { bytes, rows }, all);
    if (isReceived) reader.onReceived(open);
  };
  await readLines(
    content,
    { onLine, onPart },
    { linesPerPart: partLines, bytesPerPart: partBytes },
  );
}

const comma: Separator = ',';

function byLine(a: RejectedRow, b: RejectedRow): number {
  return a.line - b.line;
}
