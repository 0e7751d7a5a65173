import { isUtf8 } from 'node:buffer';
import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { AppError } from '../errors/app-error.ts';

/** Reads JSON bodies no larger than told, and refuses what would only do harm further on. */
export function readJsonBody(maxBodyBytes: number): RequestHandler[] {
  const read = express.json({ limit: maxBodyBytes, strict: false, verify: refuseOtherThanUtf8 });
  return [
    // What a GET or DELETE brings along means nothing.
    (req, res, next) => {
      if (req.method === 'PUT' || req.method === 'POST') read(req, res, next);
      else next();
    },
    refuseDeepBody,
  ];
}

// Bytes that are no text would be stored as U+FFFD, and other encodings are no JSON by RFC 8259.
function refuseOtherThanUtf8(_req: unknown, _res: unknown, body: Buffer, encoding: string): void {
  if (encoding !== 'utf-8') throw new UnreadableBody('charset.unsupported');
  if (!isUtf8(body)) throw new UnreadableBody('entity.not.utf-8');
}

/** Marked as body-parser marks its own errors, which it passes on with a status of its own. */
class UnreadableBody extends Error {
  readonly type: string;

  constructor(type: string) {
    super(type);
    this.type = type;
  }
}

/** Twice what any request needs. JSON.parse reads 100,000 levels that JSON.stringify then breaks on. */
const maxDepth = 16;

function refuseDeepBody(req: Request, _res: Response, next: NextFunction): void {
  let level: unknown[] = [req.body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) {
      throw new AppError('BAD_REQUEST', { publicMessage: tooDeep });
    }
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [],
    );
  }
  next();
}

const tooDeep = `The request body is nested more than ${maxDepth} levels deep`;
