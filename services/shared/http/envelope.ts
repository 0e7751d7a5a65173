import type { Response } from 'express';
import type { AppError } from '../errors/app-error.ts';
import type { Warning } from '../errors/warnings.ts';
import { redactOwnTokens } from '../logging/redact-tokens.ts';
import { sendJson } from './send-json.ts';

/** The default message of a successful response. */
export const successMessage = 'The request was successful';

export interface SuccessBody {
  readonly message?: string;
  readonly data?: unknown;
  /** What a listing of keys says about them, beside `data`. */
  readonly names?: Readonly<Record<string, string>>;
  /** The next page of a listing, if there is one. */
  readonly next?: string;
  /** Sent only if there are any. */
  readonly warnings?: readonly Warning[];
}

export function sendOk(res: Response, body: SuccessBody = {}): Promise<void> {
  const { message = successMessage, warnings = [], ...rest } = body;
  const all = { code: 'OK', message, ...rest, ...(warnings.length > 0 ? { warnings } : {}) };
  return sendJson(res, JSON.stringify(all));
}

export function sendError(res: Response, error: AppError): Promise<void> {
  const body = {
    code: error.code,
    message: error.publicMessage,
    ...(error.errors === undefined ? {} : { errors: error.errors }),
  };
  // Messages repeat values of the request, and clients log errors.
  res.status(error.status).set(error.headers);
  return sendJson(res, redactOwnTokens(JSON.stringify(body)));
}
