import type { Response } from 'express';
import type { AppError } from '../errors/app-error.ts';
import type { Warning } from '../errors/warnings.ts';
import { redactOwnTokens } from '../logging/redact-tokens.ts';

/** The default message of a successful response. */
export const successMessage = 'The request was successful';

export interface SuccessBody {
  readonly message?: string;
  readonly data?: unknown;
  /** What a listing of keys says about them, beside `data`. */
  readonly names?: Readonly<Record<string, string>>;
  /** Sent only if there are any. */
  readonly warnings?: readonly Warning[];
}

export function sendOk(res: Response, body: SuccessBody = {}): void {
  const { message = successMessage, warnings = [], ...rest } = body;
  res.json({ code: 'OK', message, ...rest, ...(warnings.length > 0 ? { warnings } : {}) });
}

export function sendError(res: Response, error: AppError): void {
  const body = {
    code: error.code,
    message: error.publicMessage,
    ...(error.errors === undefined ? {} : { errors: error.errors }),
  };
  // Messages repeat values of the request, and clients log errors.
  res
    .status(error.status)
    .set(error.headers)
    .type('json')
    .send(redactOwnTokens(JSON.stringify(body)));
}
