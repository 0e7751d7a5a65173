import { randomUUID } from 'node:crypto';
import { isSpanContextValid, type SpanContext } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import type { Caller } from '../auth/caller.ts';
import { redactOwnTokens } from '../logging/redact-tokens.ts';

interface RequestLocals {
  requestId: string;
  traceId?: string;
  caller?: Caller;
}

/** Characters that are safe in a header, a log and a query_id. */
const acceptableId = /^[A-Za-z0-9._:-]{1,100}$/;

/** Sets the request id: the client's X-Request-Id if it is acceptable, otherwise a new one. */
export function assignRequestId(req: Request, res: Response, next: NextFunction): void {
  const given = req.get('x-request-id');
  const requestId = given !== undefined && isAcceptable(given) ? given : randomUUID();
  locals(res).requestId = requestId;
  res.set('X-Request-Id', requestId);
  next();
}

// The id is stored in ClickHouse, so it must not be a token.
function isAcceptable(id: string): boolean {
  return acceptableId.test(id) && redactOwnTokens(id) === id;
}

export function requestIdOf(res: Response): string {
  return locals(res).requestId;
}

/** Fields of every log line of a request. */
export function logFieldsOf(res: Response): { requestId: string; traceId?: string } {
  const { requestId, traceId } = locals(res);
  return { requestId, ...(traceId === undefined ? {} : { traceId }) };
}

/** Does nothing without a trace. */
export function setTraceId(res: Response, span: SpanContext): void {
  if (isSpanContextValid(span)) locals(res).traceId = span.traceId;
}

export function setCaller(res: Response, caller: Caller): void {
  locals(res).caller = caller;
}

/** Undefined until the request has been authenticated. */
export function knownCallerOf(res: Response): Caller | undefined {
  return locals(res).caller;
}

/** The caller of an authenticated route. */
export function callerOf(res: Response): Caller {
  const { caller } = locals(res);
  if (caller === undefined) throw new Error('the route is not behind authentication');
  return caller;
}

function locals(res: Response): RequestLocals {
  return res.locals as RequestLocals;
}
