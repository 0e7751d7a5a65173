import { isUtf8 } from 'node:buffer';
import { AppError } from '../errors/app-error.ts';

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

/** What a JSON text contains, found without parsing it. */
export interface JsonShape {
  /** Lists, objects, and everything in them. */
  readonly values: number;
  /** Object members; those with the same name count separately. */
  readonly members: number;
  /** How deep lists and objects are nested. */
  readonly depth: number;
}

/**
 * Reads the shape from the punctuation outside of texts, in one pass: a megabyte takes a few
 * milliseconds. JSON.parse takes twenty times as long for a megabyte of small values.
 */
export function jsonShape(json: Uint8Array): JsonShape {
  let values = 1;
  let members = 0;
  let level = 0;
  let depth = 0;
  let isText = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (byte === quote) isText = !isText;
    else if (isText) {
      if (byte === backslash) i++;
    } else if (byte === comma) values++;
    else if (byte === colon) members++;
    else if (byte === openingBracket || byte === openingBrace) {
      // The first value in it; the others follow a comma.
      values++;
      level++;
      if (level > depth) depth = level;
    } else if (byte === closingBracket || byte === closingBrace) level--;
  }
  return { values, members, depth };
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openingBracket, closingBracket, openingBrace, closingBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Maps an error of body-parser to an AppError. body-parser sets a type on its errors:
 * https://github.com/expressjs/body-parser#errors
 */
export function bodyError(thrown: unknown): unknown {
  const type = (thrown as { type?: unknown } | null)?.type;
  switch (type) {
    case 'entity.parse.failed':
      return new AppError('BAD_REQUEST', { publicMessage: 'The request body is not valid JSON' });
    case 'entity.not.utf-8':
      return new AppError('BAD_REQUEST', { publicMessage: 'The request body is not valid UTF-8' });
    case 'entity.too.large':
      return new AppError('PAYLOAD_TOO_LARGE', {
        publicMessage: `The request body is larger than ${limitOf(thrown)} bytes`,
      });
    case 'entity.too.many.values':
      return new AppError('PAYLOAD_TOO_LARGE', {
        publicMessage: `The request body has more than ${limitOf(thrown)} values`,
      });
    case 'entity.too.deep':
      return new AppError('BAD_REQUEST', {
        publicMessage: `The request body is nested more than ${limitOf(thrown)} levels deep`,
      });
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new AppError('UNSUPPORTED_MEDIA_TYPE');
    case 'request.aborted':
    case 'request.size.invalid':
    case 'entity.verify.failed':
      return new AppError('BAD_REQUEST', { cause: thrown });
    default:
      // The body does not match its Content-Encoding.
      return isZlibError(thrown) ? new AppError('BAD_REQUEST', { cause: thrown }) : thrown;
  }
}

function limitOf(thrown: unknown): number {
  return (thrown as { limit: number }).limit;
}

/** `Z_DATA_ERROR` and similar for gzip and deflate, `ERR__ERROR_FORMAT_…` for brotli. */
function isZlibError(thrown: unknown): boolean {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(Z_|ERR__ERROR_FORMAT)/.test(code);
}
