import { isUtf8 } from 'node:buffer';
import type { FieldCheck } from './field-check.ts';

/** A longer row is rejected, to bound memory. */
export const maxRowBytes = 1024 ** 2;

/** The columns of a file. */
export interface RowShape {
  /** One per column, in the order of the file; undefined for a skipped column. */
  readonly checks: readonly (FieldCheck | undefined)[];
  readonly names: readonly string[];
  /** The column that identifies the agent. */
  readonly agentColumn: number;
}

/** Finds or assigns the number of an agent; undefined when the field does not identify one. */
export type AgentNumber = (bytes: Buffer, start: number, end: number) => number | undefined;

export interface RejectedRow {
  readonly line: number;
  readonly reason: string;
  readonly text: Buffer;
}

/** The valid rows of a block, as byte offsets. */
export interface ScannedRows {
  readonly count: number;
  readonly starts: Uint32Array;
  /** Without the line end. */
  readonly ends: Uint32Array;
  readonly lines: Uint32Array;
  readonly agents: Uint32Array;
  readonly rejected: readonly RejectedRow[];
  /** The remaining bytes are the beginning of a row. */
  readonly consumedBytes: number;
}

/**
 * Scans the bytes of a CSV file once, block by block: finds the ends of rows, counts columns and
 * checks every field. Valid rows never become objects or strings; ClickHouse parses them.
 */
export class RowScanner {
  readonly #shape: RowShape;
  readonly #agentNumber: AgentNumber;
  #line: number;
  /** Inside a row that was rejected for its length. */
  #isSkipping = false;
  // State of the current row.
  #at = 0;
  #highBits = 0;
  #agent = 0;
  #problem = '';

  constructor(shape: RowShape, agentNumber: AgentNumber, firstLine: number) {
    this.#shape = shape;
    this.#agentNumber = agentNumber;
    this.#line = firstLine;
  }

  /** `block` has room for one byte after `length`: a line feed is written there to stop the search. */
  scan(block: Buffer, length: number, isLast: boolean): ScannedRows {
    // A row is at least as long as its commas.
    const most = Math.floor(length / Math.max(1, this.#shape.names.length)) + 2;
    const starts = new Uint32Array(most);
    const ends = new Uint32Array(most);
    const lines = new Uint32Array(most);
    const agents = new Uint32Array(most);
    const rejected: RejectedRow[] = [];
    let count = 0;
    block[length] = lineFeed;

    let at = this.#isSkipping ? this.#skipToLineEnd(block, length) : 0;
    while (at < length) {
      const line = this.#line;
      const isWhole = this.#scanRow(block, at, length, isLast);
      if (!isWhole && !isLast && length - at <= maxRowBytes) {
        // The row is scanned again with the next block; its lines must not count twice.
        this.#line = line;
        break;
      }
      const rowEnd = this.#at;
      const textEnd = rowEnd > at && block[rowEnd - 1] === carriageReturn ? rowEnd - 1 : rowEnd;
      if (rowEnd - at > maxRowBytes) this.#problem = `row longer than ${maxRowBytes} bytes`;
      else if (this.#problem === '' && this.#highBits > 0x7f) this.#checkUtf8(block, at, textEnd);

      if (textEnd > at && this.#problem !== '') {
        const text = Buffer.from(block.subarray(at, Math.min(textEnd, at + shownBytes)));
        rejected.push({ line, reason: this.#problem, text });
      } else if (textEnd > at) {
        starts[count] = at;
        ends[count] = textEnd;
        lines[count] = line;
        agents[count] = this.#agent;
        count++;
      }
      this.#isSkipping = !isWhole && !isLast && rowEnd >= length;
      if (!this.#isSkipping) this.#line++;
      at = rowEnd + 1;
    }
    return { count, starts, ends, lines, agents, rejected, consumedBytes: Math.min(at, length) };
  }

  #skipToLineEnd(block: Buffer, length: number): number {
    const lineEnd = block.indexOf(lineFeed);
    this.#isSkipping = lineEnd >= length;
    if (!this.#isSkipping) this.#line++;
    return Math.min(lineEnd + 1, length);
  }

  /** Sets #at to the line end of the row. Returns false when the block ends before the row. */
  #scanRow(block: Buffer, rowStart: number, length: number, isLast: boolean): boolean {
    const { checks, names, agentColumn } = this.#shape;
    const line = this.#line;
    this.#problem = '';
    this.#highBits = 0;
    let at = rowStart;
    let column = 0;
    for (;;) {
      let start = at;
      let end: number;
      if (block[at] === quote) {
        at = this.#quotedFieldEnd(block, at, Math.min(length, rowStart + maxRowBytes + 1));
        if (at === -1) return this.#quoteNotClosed(block, rowStart, length, line);
        start++;
        end = at - 1;
        if (block[at] === carriageReturn && block[at + 1] === lineFeed) at++;
        if (block[at] !== comma && block[at] !== lineFeed) {
          this.#addProblem(`text after the closing quote of ${names[column] ?? 'a column'}`);
          at = this.#plainFieldEnd(block, at);
        }
      } else {
        at = this.#plainFieldEnd(block, at);
        end =
          block[at] === lineFeed && block[at - 1] === carriageReturn && at > start ? at - 1 : at;
      }
      const check = checks[column];
      if (check !== undefined && !check.isValid(block, start, end)) {
        this.#addProblem(`${names[column] ?? ''} must be ${check.expected}`);
      }
      if (column === agentColumn) this.#findAgent(block, start, end);
      column++;
      if (block[at] === lineFeed) break;
      at++;
    }
    this.#at = at;
    if (at >= length && !isLast) return false;
    if (column !== names.length) {
      this.#problem = `${column} columns, but the header has ${names.length}`;
    }
    return true;
  }

  #plainFieldEnd(block: Buffer, from: number): number {
    let at = from;
    let bits = 0;
    for (;;) {
      const byte = block[at] ?? lineFeed;
      bits |= byte;
      // Digits and letters are greater than a comma: one comparison for nearly every byte.
      if (byte <= comma) {
        if (byte === comma || byte === lineFeed) break;
        if (byte < 0x20 && byte !== tab && !(byte === carriageReturn && block[at + 1] === lineFeed))
          this.#addProblem('control character');
      }
      at++;
    }
    this.#highBits |= bits;
    return at;
  }

  /** The offset after the closing quote, or -1. */
  #quotedFieldEnd(block: Buffer, from: number, limit: number): number {
    let lines = 0;
    for (let at = from + 1; at < limit; at++) {
      const byte = block[at] ?? 0;
      this.#highBits |= byte;
      if (byte === lineFeed) lines++;
      else if (byte === quote) {
        if (block[at + 1] !== quote) {
          this.#line += lines;
          return at + 1;
        }
        at++;
      } else if (byte < 0x20 && byte !== tab && byte !== carriageReturn) {
        this.#addProblem('control character');
      }
    }
    return -1;
  }

  // Only the first line is rejected; otherwise the rest of the file would be one field.
  #quoteNotClosed(block: Buffer, rowStart: number, length: number, line: number): boolean {
    this.#problem = 'quote not closed';
    this.#line = line;
    this.#at = block.indexOf(lineFeed, rowStart);
    return this.#at < length && length - rowStart > maxRowBytes;
  }

  #findAgent(block: Buffer, start: number, end: number): void {
    const agent = this.#agentNumber(block, start, end);
    if (agent === undefined) {
      this.#addProblem(`${this.#shape.names[this.#shape.agentColumn] ?? ''} is missing or invalid`);
    }
    this.#agent = agent ?? 0;
  }

  #checkUtf8(block: Buffer, start: number, end: number): void {
    if (!isUtf8(block.subarray(start, end))) this.#problem = 'not UTF-8';
  }

  /** Keeps the first problem of a row. */
  #addProblem(problem: string): void {
    if (this.#problem === '') this.#problem = problem;
  }
}

/** Part of a rejected row that goes to the reject file. */
const shownBytes = 64 * 1024;
const [tab, lineFeed, carriageReturn, quote, comma] = [0x09, 0x0a, 0x0d, 0x22, 0x2c];
