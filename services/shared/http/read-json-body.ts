import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { AppError } from '../errors/app-error.ts';
import { bodyError } from './body-error.ts';

/** Reads JSON bodies no larger than told, and refuses what would only do harm further on. */
export function readJsonBody(maxBodyBytes: number): RequestHandler[] {
  const read = express.json({ limit: maxBodyBytes, strict: false, verify: lookAtBytes });
  const readIfAny: RequestHandler = (req, res, next) => {
    // What a GET or DELETE brings along means nothing.
    if (req.method === 'PUT' || req.method === 'POST') {
      read(req, res, (error?: unknown) => next(error === undefined ? undefined : bodyError(error)));
    } else next();
  };
  return [readIfAny, lookAtBody];
}

/** Members of objects as they are written, by request. */
const writtenMembers = new WeakMap<IncomingMessage, number>();

// Bytes that are no text would be stored as U+FFFD, and other encodings are no JSON by RFC 8259.
function lookAtBytes(req: IncomingMessage, _res: unknown, body: Buffer, encoding: string): void {
  if (encoding !== 'utf-8') throw new UnreadableBody('charset.unsupported');
  if (!isUtf8(body)) throw new UnreadableBody('entity.not.utf-8');
  writtenMembers.set(req, colonsOutsideTexts(body));
}

/** Marked as body-parser marks its own errors, which it passes on with a status of its own. */
class UnreadableBody extends Error {
  readonly type: string;

  constructor(type: string) {
    super(type);
    this.type = type;
  }
}

function colonsOutsideTexts(json: Buffer): number {
  let colons = 0;
  let isText = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (byte === quote) isText = !isText;
    else if (isText && byte === backslash) i++;
    else if (!isText && byte === colon) colons++;
  }
  return colons;
}

const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;

/** Twice what any request needs. JSON.parse reads 100,000 levels that JSON.stringify then breaks on. */
const maxDepth = 16;

/**
 * Refuses a body nested too deeply, or one that names a field twice: JSON.parse would drop the first
 * without a word, which shows in that fewer members are there than were written.
 */
function lookAtBody(req: Request, _res: Response, next: NextFunction): void {
  let members = 0;
  let level: unknown[] = [req.body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw unreadable(`is nested more than ${maxDepth} levels deep`);
    level = level.flatMap((value) => {
      if (typeof value !== 'object' || value === null) return [];
      const inner = Object.values(value) as unknown[];
      if (!Array.isArray(value)) members += inner.length;
      return inner;
    });
  }
  if (members < (writtenMembers.get(req) ?? 0)) throw unreadable('names a field twice');
  next();
}

function unreadable(why: string): AppError {
  return new AppError('BAD_REQUEST', { publicMessage: `The request body ${why}` });
}
