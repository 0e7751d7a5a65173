import { isUtf8 } from 'node:buffer';
import { AppError } from '../errors/app-error.ts';
import { bodyError } from './body-error.ts';
import { jsonShape } from './json-shape.ts';

/** Parses a JSON body, and rejects an unsafe one. For bodies that express.json() does not read. */
export function parseCheckedJson(body: Buffer, maxValues: number): unknown {
  try {
    const members = checkJsonBytes(body, maxValues);
    const value = parseJson(body);
    rejectDuplicateFields(value, members);
    return value;
  } catch (error) {
    throw bodyError(error);
  }
}

/** Twice what any request needs. JSON.parse accepts 100,000 levels, on which JSON.stringify fails. */
const maxDepth = 16;

/**
 * Before a body is parsed: parsing a megabyte of small values takes longer than the whole request may. Returns the
 * number of object members in the text.
 */
export function checkJsonBytes(body: Buffer, maxValues: number): number {
  // Invalid UTF-8 would be stored as U+FFFD. RFC 8259 allows no other encoding.
  if (!isUtf8(body)) throw new UnreadableBody('entity.not.utf-8');
  const { depth, values, members } = jsonShape(body);
  if (depth > maxDepth) throw new UnreadableBody('entity.too.deep', maxDepth);
  if (values > maxValues) throw new UnreadableBody('entity.too.many.values', maxValues);
  return members;
}

/** Has a `type` like body-parser's own errors. */
export class UnreadableBody extends Error {
  readonly type: string;
  readonly limit: number | undefined;

  constructor(type: string, limit?: number) {
    super(type);
    this.type = type;
    this.limit = limit;
  }
}

function parseJson(body: Buffer): unknown {
  try {
    // The decoder ignores a byte order mark, as body-parser does.
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    throw new UnreadableBody('entity.parse.failed');
  }
}

/**
 * JSON.parse silently drops the first of duplicate fields, so the parsed body has fewer members than the text.
 */
export function rejectDuplicateFields(parsed: unknown, writtenMembers: number): void {
  if (memberCount(parsed) < writtenMembers) {
    throw new AppError('BAD_REQUEST', {
      publicMessage: 'The request body has a duplicate field',
    });
  }
}

function memberCount(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value) as unknown[];
  const own = Array.isArray(value) ? 0 : inner.length;
  return inner.reduce<number>((sum, one) => sum + memberCount(one), own);
}
