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

/** Parses JSON bodies up to the size limit, and rejects unsafe ones. */
export function readJsonBody(maxBodyBytes: number): RequestHandler[] {
  const read = express.json({ limit: maxBodyBytes, strict: false, verify: verifyBytes });
  const readIfAny: RequestHandler = (req, res, next) => {
    // The body of a GET or DELETE is ignored.
    if (req.method === 'PUT' || req.method === 'POST') {
      read(req, res, (error?: unknown) => next(error === undefined ? undefined : bodyError(error)));
    } else next();
  };
  return [readIfAny, rejectUnsafeJson];
}

/** The number of object members in the JSON text, by request. */
const writtenMembers = new WeakMap<IncomingMessage, number>();

// Invalid UTF-8 would be stored as U+FFFD. RFC 8259 allows no other encoding.
function verifyBytes(req: IncomingMessage, _res: unknown, body: Buffer, encoding: string): void {
  if (encoding !== 'utf-8') throw new UnreadableBody('charset.unsupported');
  if (!isUtf8(body)) throw new UnreadableBody('entity.not.utf-8');
  writtenMembers.set(req, colonsOutsideTexts(body));
}

/** Has a `type` like body-parser's own errors. */
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

/** Twice what any request needs. JSON.parse accepts 100,000 levels, on which JSON.stringify fails. */
const maxDepth = 16;

/**
 * Rejects a body that is nested too deeply or has duplicate fields. JSON.parse silently drops the first
 * of them, so the parsed body has fewer members than the text.
 */
function rejectUnsafeJson(req: Request, _res: Response, next: NextFunction): void {
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
  if (members < (writtenMembers.get(req) ?? 0)) throw unreadable('has a duplicate field');
  next();
}

function unreadable(why: string): AppError {
  return new AppError('BAD_REQUEST', { publicMessage: `The request body ${why}` });
}
