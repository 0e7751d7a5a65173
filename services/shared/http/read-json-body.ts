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
import { jsonShape } from './json-shape.ts';

export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly maxBodyValues: number;
}

/** Parses JSON bodies up to the limits, and rejects unsafe ones. */
export function readJsonBody({ maxBodyBytes, maxBodyValues }: BodyLimits): RequestHandler[] {
  const read = express.json({
    limit: maxBodyBytes,
    strict: false,
    verify: (req, _res, body, encoding) => verifyBytes(req, body, encoding, maxBodyValues),
  });
  const readIfAny: RequestHandler = (req, res, next) => {
    // The body of a GET or DELETE is ignored.
    if (['POST', 'PUT', 'PATCH'].includes(req.method)) {
      read(req, res, (error?: unknown) => next(error === undefined ? undefined : bodyError(error)));
    } else next();
  };
  return [readIfAny, rejectDuplicateFields];
}

/** The number of object members in the JSON text, by request. */
const writtenMembers = new WeakMap<IncomingMessage, number>();

/** Twice what any request needs. JSON.parse accepts 100,000 levels, on which JSON.stringify fails. */
const maxDepth = 16;

// Before the body is parsed: parsing a megabyte of small values takes longer than the whole request may.
function verifyBytes(
  req: IncomingMessage,
  body: Buffer,
  encoding: string,
  maxBodyValues: number,
): void {
  // Invalid UTF-8 would be stored as U+FFFD. RFC 8259 allows no other encoding.
  if (encoding !== 'utf-8') throw new UnreadableBody('charset.unsupported');
  if (!isUtf8(body)) throw new UnreadableBody('entity.not.utf-8');
  const { depth, values, members } = jsonShape(body);
  if (depth > maxDepth) throw new UnreadableBody('entity.too.deep', maxDepth);
  if (values > maxBodyValues) throw new UnreadableBody('entity.too.many.values', maxBodyValues);
  writtenMembers.set(req, members);
}

/** Has a `type` like body-parser's own errors. */
class UnreadableBody extends Error {
  readonly type: string;
  readonly limit: number | undefined;

  constructor(type: string, limit?: number) {
    super(type);
    this.type = type;
    this.limit = limit;
  }
}

// JSON.parse silently drops the first of duplicate fields, so the parsed body has fewer members than
// the text.
function rejectDuplicateFields(req: Request, _res: Response, next: NextFunction): void {
  if (memberCount(req.body) < (writtenMembers.get(req) ?? 0)) {
    throw new AppError('BAD_REQUEST', {
      publicMessage: 'The request body has a duplicate field',
    });
  }
  next();
}

function memberCount(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value) as unknown[];
  const own = Array.isArray(value) ? 0 : inner.length;
  return inner.reduce<number>((sum, one) => sum + memberCount(one), own);
}
