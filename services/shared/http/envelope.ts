import type { Response } from 'express';
import type { AppError } from '../errors/app-error.ts';
import { redactOwnTokens } from '../logging/redact-tokens.ts';

/** The generic success text of the contract's envelope. */
export const successMessage = 'The request was successful';

export function sendOk(res: Response, body: { data?: unknown; message?: string } = {}): void {
  const { data, message = successMessage } = body;
  res.json({ code: 'OK', message, ...(data === undefined ? {} : { data }) });
}

export function sendError(res: Response, error: AppError): void {
  const body = {
    code: error.code,
    message: error.publicMessage,
    ...(error.errors === undefined ? {} : { errors: error.errors }),
  };
  // Messages repeat what was sent, and errors end up in the logs of callers.
  res
    .status(error.status)
    .set(error.headers)
    .type('json')
    .send(redactOwnTokens(JSON.stringify(body)));
}
