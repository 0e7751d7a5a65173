import type { IncomingMessage } from 'node:http';
import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import {
  bodyError,
  checkJsonBytes,
  rejectDuplicateFields,
  UnreadableBody,
} from './checked-json.ts';
import { refuseSlowBodies } from './refuse-slow-bodies.ts';

export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly maxBodyValues: number;
  readonly minBodyBytesPerSecond: number;
}

/** Parses JSON bodies up to the limits, and rejects unsafe and slow ones. */
export function readJsonBody({
  maxBodyBytes,
  maxBodyValues,
  minBodyBytesPerSecond,
}: BodyLimits): RequestHandler[] {
  const read = express.json({
    limit: maxBodyBytes,
    strict: false,
    verify: (req, _res, body, encoding) => verifyBytes(req, body, encoding, maxBodyValues),
  });
  const readIfAny: RequestHandler = (req, res, next) => {
    // The body of a GET or DELETE is ignored.
    if (['POST', 'PUT', 'PATCH'].includes(req.method)) {
      read(req, res, (error?: unknown) => {
        // A body that was too slow has its response already.
        if (!res.headersSent) next(error === undefined ? undefined : bodyError(error));
      });
    } else next();
  };
  return [refuseSlowBodies(minBodyBytesPerSecond), readIfAny, rejectDuplicates];
}

/** The number of object members in the JSON text, by request. */
const writtenMembers = new WeakMap<IncomingMessage, number>();

function verifyBytes(
  req: IncomingMessage,
  body: Buffer,
  encoding: string,
  maxBodyValues: number,
): void {
  if (encoding !== 'utf-8') throw new UnreadableBody('charset.unsupported');
  writtenMembers.set(req, checkJsonBytes(body, maxBodyValues));
}

function rejectDuplicates(req: Request, _res: Response, next: NextFunction): void {
  rejectDuplicateFields(req.body, writtenMembers.get(req) ?? 0);
  next();
}
