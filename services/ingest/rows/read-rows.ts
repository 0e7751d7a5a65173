import { Readable } from 'node:stream';
import { columnsOfTest } from '../../catalog/test-tables.ts';
import { detectSeparator, headerNames, type Separator } from '../../results/csv.ts';
import { HeaderError, planFile } from '../../results/columns/file-plan.ts';
import { JsonArrayError, jsonArrayLines } from '../../results/json/json-array-lines.ts';
import { type JsonLine, parseLine } from '../../results/json/json-lines.ts';
import { readLines } from '../../results/json/read-lines.ts';
import { openRows, type OpenRows } from '../../results/rows/open-rows.ts';
import { endOfHeader, readBlocks } from '../../results/rows/read-blocks.ts';
import { byLine, type RejectedRow } from '../../results/rows/scanned-rows.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import type { ResultsFormat } from '../request/parse-results-request.ts';
import type { ResultsTarget, RowBlock } from './check-rows.ts';
import { JsonText } from './json-text.ts';

/** Receives the rows of a body, block by block. */
export interface RowsReader {
  /** `lineCount`: lines so far, with blank ones, without the header. */
  onBlock(
    open: OpenRows,
    block: RowBlock,
    rejected: readonly RejectedRow[],
    lineCount: number,
  ): void;
  /** Called after a block when the body has been received to its end, perhaps before its other rows are scanned. */
  onReceived(open: OpenRows): void;
  /** Awaited between two parts, so that other requests can run. */
  nextTurn(): Promise<void>;
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
const partBytes = 32 * 1024;
const partLines = 1_000;

/** Many times the names of all columns of a test. */
const maxHeaderBytes = 64 * 1024;

async function readCsv(
  content: Readable,
  target: ResultsTarget,
  reader: RowsReader,
): Promise<void> {
  let open: OpenRows | undefined;
  await readBlocks(content, blockBytes, async (block) => {
    const { bytes, length, isLast } = block;
    let at = 0;
    if (open === undefined) {
      at = endOfHeader(block, maxHeaderBytes);
      const header = bytes.toString('utf8', 0, at);
      if (header.trim() === '') throw new HeaderError('the body is empty, or line 1 is blank');
      const separator = detectSeparator(header);
      open = openBody(headerNames(header, separator), separator, firstLine, target);
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
      const lineCount = open.scanner.nextLine - firstLine;
      if (rows.consumedBytes > 0)
        reader.onBlock(open, { bytes: part, rows }, rows.rejected, lineCount);
      if (isLast) reader.onReceived(open);
      if (!isLast || !isEnd) await reader.nextTurn();
      if (isEnd) break;
    }
    return at;
  });
}

/** After the header. */
const firstLine = 2;

function openBody(
  titles: readonly string[],
  separator: Separator,
  firstLine: number,
  target: ResultsTarget,
): OpenRows {
  return openRows(
    planFile(titles, target.test, target),
    { separator, firstLine, keySlots },
    target,
  );
}

/** Most requests have few rows. */
const keySlots = 64;

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
  const onPart = (isReceived: boolean, lineCount: number) => {
    text ??= new JsonText(columnsOfTest(target.test), first);
    for (const line of first) text.add(line);
    open ??= openBody(text.columns, ',', 1, target);
    const { bytes, length, rejected } = text.take();
    const rows = open.scanner.scan(bytes, length, true);
    const all = [...unreadable, ...rejected, ...rows.rejected].sort(byLine);
    [first, unreadable] = [[], []];
    reader.onBlock(open, { bytes, rows }, all, lineCount);
    if (isReceived) reader.onReceived(open);
    return Promise.resolve();
  };
  await readLines(
    content,
    { onLine, onPart },
    { linesPerPart: partLines, bytesPerPart: partBytes, nextTurn: () => reader.nextTurn() },
  );
}
