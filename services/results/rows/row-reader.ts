import { isUtf8 } from 'node:buffer';
import type { RequiredField } from '../columns/file-plan.ts';
import { parseCsv } from '../csv.ts';
import type { FieldConversion, RejectedRow } from './scanned-rows.ts';
import { FieldReader, mixHash } from './field-reader.ts';
import type { FieldCheck } from '../fields/field-check.ts';
import type { Separator } from '../csv.ts';
import { describeMultiline, inFile, type MultilineField } from './multiline-fields.ts';

/** The columns of a file. */
export interface RowShape {
  /** One per column, in the order of the file; undefined for a skipped column. */
  readonly checks: readonly (FieldCheck | undefined)[];
  readonly names: readonly string[];
  /** Columns that identify a result, besides the agent. */
  readonly isKey: readonly boolean[];
  readonly timeColumn: number;
  /** The column that identifies the agent. */
  readonly agentColumn: number;
  readonly separator: Separator;
  /** The least length of a row with its line end. Default: that of a row with a time. */
  readonly minRowBytes?: number;
  /** Columns that a row must have a value in. */
  readonly required?: readonly RequiredField[];
  /** How far in the future the time of a row may be, in seconds. Default: times are neither checked nor kept. */
  readonly maxAheadS?: number;
}

/** Finds or assigns the number of an agent; undefined when the field does not identify one. */
export type AgentNumber = (bytes: Buffer, start: number, end: number) => number | undefined;

/** A longer row is rejected, to bound memory. */
export const maxRowBytes = 1024 ** 2;

/** Reads one row at a time. The results are properties, so that no object is created per row. */
export class RowReader {
  readonly #shape: RowShape;
  readonly #agentNumber: AgentNumber;
  readonly #fields: FieldReader;
  /** Offset of the line feed after the row. */
  end = 0;
  /** Line feeds in quoted fields of the row. */
  lineFeeds = 0;
  timeStart = 0;
  /** Of a valid row, in seconds since 1970, if the shape has maxAheadS. */
  timeS = 0;
  agent = 0;
  /** Hashes of the values that identify the result, and of the whole row. */
  key1 = 0;
  key2 = 0;
  content = 0;
  conversions: readonly FieldConversion[] = none;
  /** The first quoted field with line feeds, with its lines from that of the row on. */
  multiline: MultilineField | undefined;
  readonly #isRequired: readonly boolean[];
  readonly #lacksRequired: boolean;
  /** A required column may be blank. */
  #hasBlank = false;
  /** A row with a later time is compared with the clock again. */
  #latestS = 0;
  #agentStart = 0;
  #agentEnd = 0;
  #reason = '';
  #group = '';
  #column = '';
  #value = '';

  constructor(shape: RowShape, agentNumber: AgentNumber) {
    this.#shape = shape;
    this.#agentNumber = agentNumber;
    this.#fields = new FieldReader(shape.separator);
    const required = shape.required?.map(({ column }) => column) ?? [];
    this.#isRequired = shape.names.map((_, column) => required.includes(column));
    this.#lacksRequired = required.includes(-1);
  }

  /** Finds the end of the row and checks its fields. Returns false when the block ends before the row. */
  read(block: Buffer, rowStart: number, length: number, isLast: boolean): boolean {
    const { names, agentColumn, timeColumn, isKey } = this.#shape;
    const fields = this.#fields;
    const isRequired = this.#isRequired;
    this.#reason = '';
    this.conversions = none;
    this.multiline = undefined;
    this.lineFeeds = 0;
    this.#hasBlank = this.#lacksRequired;
    fields.bits = 0;
    let key1 = 0;
    let key2 = 0;
    let content = 0;
    let at = rowStart;
    let column = 0;
    for (;;) {
      let start = at;
      let end: number;
      if (block[at] === quote) {
        at = fields.quotedEnd(block, at, Math.min(length, rowStart + maxRowBytes + 1));
        if (at === -1) return this.#quoteNotClosed(block, rowStart, length);
        if (fields.lineFeeds > 0) this.#addMultiline(block, start + 1, at - 1, column);
        this.lineFeeds += fields.lineFeeds;
        start++;
        end = at - 1;
        if (block[at] === carriageReturn && block[at + 1] === lineFeed) at++;
        if (!fields.isFieldEnd(block[at])) {
          const name = names[column] ?? '';
          this.#reject(`text after the closing quote of ${name || 'a column'}`, name);
          at = fields.plainEnd(block, at);
        }
      } else {
        at = fields.plainEnd(block, at);
        end =
          block[at] === lineFeed && block[at - 1] === carriageReturn && at > start ? at - 1 : at;
      }
      if (fields.problem !== '') this.#reject(fields.problem, names[column] ?? '');
      if (column === timeColumn) this.timeStart = start;
      if (column === agentColumn) {
        this.#agentStart = start;
        this.#agentEnd = end;
      }
      if (isRequired[column] === true && isBlank(block, start, end)) this.#hasBlank = true;
      this.#checkField(block, start, end, column);
      content = mixHash(content, fields.hash1);
      if (isKey[column] === true) {
        key1 = mixHash(key1, fields.hash1);
        key2 = mixHash(key2, fields.hash2);
      }
      column++;
      if (block[at] === lineFeed) break;
      at++;
    }
    this.end = at;
    if (at >= length && !isLast) return false;
    this.key1 = key1;
    this.key2 = key2;
    this.content = content;
    if (column !== names.length) {
      this.#rejectRow(`${column} columns, but the header has ${names.length}`);
    }
    return true;
  }

  /** Whether the row that was read last is valid. Finds its agent. */
  isValid(block: Buffer, start: number, textEnd: number): boolean {
    if (textEnd - start > maxRowBytes) {
      this.#rejectRow(`row longer than ${maxRowBytes} bytes`);
    } else if (this.#reason === '' && this.#fields.bits > 0x7f) {
      if (!isUtf8(block.subarray(start, textEnd))) this.#rejectRow(notUtf8);
    }
    if (this.#reason === '' && this.#hasBlank) this.#checkRequired(block, start, textEnd);
    if (this.#reason === '' && this.#shape.maxAheadS !== undefined) {
      this.#checkTime(block, this.#shape.maxAheadS);
    }
    // Not earlier: a row that is rejected, or cut by the end of a block, must not register an agent.
    if (this.#reason === '') this.#findAgent(block);
    return this.#reason === '';
  }

  rejected(block: Buffer, start: number, textEnd: number, line: number): RejectedRow {
    const { multiline } = this;
    const swallowed =
      multiline === undefined ? '' : `; ${describeMultiline(inFile(multiline, line))}`;
    const group = this.#group || this.#reason;
    return {
      line,
      reason: this.#reason + swallowed,
      ...(group === this.#reason + swallowed ? {} : { group }),
      column: this.#column,
      value: this.#value.slice(0, shownCharacters) || (multiline?.text ?? ''),
      text: Buffer.from(block.subarray(start, Math.min(textEnd, start + shownBytes))),
    };
  }

  #checkField(block: Buffer, start: number, end: number, column: number): void {
    const check = this.#shape.checks[column];
    if (check === undefined || check.isValid(block, start, end)) return;
    const value = block.toString('utf8', start, Math.min(end, start + shownBytes));
    const conversion = check.convert?.(value);
    if (conversion === undefined) {
      const name = this.#shape.names[column] ?? '';
      this.#reject(`${name} must be ${check.expected}`, name, value);
      return;
    }
    this.conversions = [...this.conversions, { ...conversion, column, start, end }];
    // The hash of the value as it is stored: 7.0 and 7 are one key.
    this.#fields.plainEnd(Buffer.from(`${conversion.text}\n`), 0);
  }

  /** Rare enough to parse the row again. */
  #checkRequired(block: Buffer, start: number, end: number): void {
    const { required = [], separator, names } = this.#shape;
    const [cells = []] = parseCsv(block.toString('utf8', start, end), separator);
    const isMissing = (column: number) => /^(\\N)?$/.test((cells[column] ?? '').trim());
    const found = required.find(
      ({ column, whenPositive }) =>
        isMissing(column) && whenPositive.every((other) => Number(cells[other]) > 0),
    );
    if (found === undefined) return;
    const conditions = found.whenPositive.map((column) => `${names[column]} is above 0`);
    const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
    this.#reject(`${found.name} must not be blank${where}`, found.name);
  }

  /** The one rule for the times of results, whether they are loaded or sent. */
  #checkTime(block: Buffer, maxAheadS: number): void {
    const { timeColumn } = this.#shape;
    const converted = this.conversions.find(({ column }) => column === timeColumn);
    this.timeS =
      converted === undefined
        ? unixSecondsAt(block, this.timeStart)
        : unixSecondsAt(Buffer.from(converted.text), 0);
    if (this.timeS <= this.#latestS) return;
    const nowS = Math.floor(Date.now() / 1000);
    this.#latestS = nowS + maxAheadS;
    if (this.timeS <= this.#latestS) return;
    const group = 'dtime is in the future';
    this.#reject(`${group}: the time is ${isoTime(nowS)} UTC`, 'dtime', isoTime(this.timeS), group);
  }

  #findAgent(block: Buffer): void {
    const { agentColumn, names } = this.#shape;
    const converted = this.#convertedAgent();
    const agent =
      converted === undefined
        ? this.#agentNumber(block, this.#agentStart, this.#agentEnd)
        : this.#agentNumber(converted, 0, converted.length);
    if (agent === undefined) {
      const value = block.toString('utf8', this.#agentStart, this.#agentEnd);
      const name = names[agentColumn] ?? '';
      this.#reject(`${name} is missing or invalid`, name, value);
      return;
    }
    this.agent = agent;
    this.key1 = mixHash(this.key1, agent);
    this.key2 = mixHash(this.key2, agent);
  }

  #convertedAgent(): Buffer | undefined {
    if (this.conversions.length === 0) return undefined;
    const { agentColumn } = this.#shape;
    const conversion = this.conversions.find(({ column }) => column === agentColumn);
    return conversion === undefined ? undefined : Buffer.from(conversion.text);
  }

  #addMultiline(block: Buffer, start: number, end: number, column: number): void {
    this.multiline ??= {
      column: this.#shape.names[column] ?? '',
      firstLine: this.lineFeeds,
      lastLine: this.lineFeeds + this.#fields.lineFeeds,
      text: block
        .toString('utf8', start, Math.min(end, start + shownBytes))
        .slice(0, shownCharacters),
    };
  }

  // Only the first line is rejected; otherwise the rest of the file would be one field.
  #quoteNotClosed(block: Buffer, rowStart: number, length: number): boolean {
    this.#rejectRow('quote not closed');
    this.lineFeeds = 0;
    this.end = block.indexOf(lineFeed, rowStart);
    return this.end < length && length - rowStart > maxRowBytes;
  }

  /** Keeps the first problem of the fields. */
  #reject(reason: string, column: string, value = '', group = ''): void {
    if (this.#reason !== '') return;
    this.#reason = reason;
    this.#group = group;
    this.#column = column;
    this.#value = value;
  }

  /** A problem of the row as a whole replaces those of its fields. */
  #rejectRow(reason: string): void {
    this.#reason = reason;
    this.#group = '';
    this.#column = '';
    this.#value = '';
  }
}

/** Spaces only, or \\N. */
function isBlank(block: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end && (block[at] ?? 0) <= blank) at++;
  return at === end || (block[at] === backslash && block[at + 1] === letterN);
}

/** A valid time in bytes as seconds since 1970, without its fraction. */
function unixSecondsAt(bytes: Uint8Array, start: number): number {
  const at = firstDigit(bytes, start);
  const year = twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2);
  const month = twoDigits(bytes, at + 5) - 1;
  const midnightMs = Date.UTC(year, month, twoDigits(bytes, at + 8));
  const hours = twoDigits(bytes, at + 11);
  const minutes = hours * 60 + twoDigits(bytes, at + 14);
  return midnightMs / 1000 + minutes * 60 + twoDigits(bytes, at + 17);
}

function firstDigit(bytes: Uint8Array, start: number): number {
  let at = start;
  while ((bytes[at] ?? zero) <= blank) at++;
  return at;
}

function twoDigits(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? zero) - zero) * 10 + (bytes[at + 1] ?? zero) - zero;
}

/** 2026-11-15 18:30:00 */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

export const notUtf8 = 'not UTF-8, perhaps Latin-1: --encoding latin1 converts it';
const none: readonly FieldConversion[] = [];
/** Part of a rejected row that goes to the reject file. */
const shownBytes = 64 * 1024;
const shownCharacters = 200;
const [lineFeed, carriageReturn, blank, quote] = [0x0a, 0x0d, 0x20, 0x22];
const [zero, letterN, backslash] = [0x30, 0x4e, 0x5c];
