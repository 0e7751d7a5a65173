import { isUtf8 } from 'node:buffer';
import { maxRowBytes, notUtf8 } from '../rows/row-reader.ts';
import type { RejectedRow } from '../rows/scanned-rows.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface JsonLine {
  readonly line: number;
  readonly text: string;
  readonly object: JsonObject;
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

/** Parses a line of NDJSON. Returns the reason if it is not an object. */
function parseJsonLine(text: string): JsonObject | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
    // JSON.parse rounds numbers of more than 15 digits: they are read again as text.
    if (longNumber.test(text)) value = JSON.parse(text.replace(stringOrNumber, quoteNumber));
  } catch (error) {
    return `not JSON: ${(error as Error).message.slice(0, shownCharacters)}`;
  }
  return isObject(value) ? value : 'must be a JSON object such as {"unit_id": 1}';
}

const longNumber = /\d[\d.]{15}/;
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const shownCharacters = 200;

function quoteNumber(token: string): string {
  return token.startsWith('"') ? token : `"${token}"`;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
