import type { Response } from 'express';
import type { AppError } from '../errors/app-error.ts';

/** The generic success text of the contract's envelope. */
export const successMessage = 'The request was successful';

export function sendOk(res: Response, body: { data?: unknown; message?: string } = {}): void {
  const { data, message = successMessage } = body;
  res.json({ code: 'OK', message, ...(data === undefined ? {} : { data }) });
}

export function sendError(res: Response, error: AppError): void {
  res
    .status(error.status)
    .set(error.headers)
    .json({
      code: error.code,
      message: error.publicMessage,
      ...(error.errors === undefined ? {} : { errors: error.errors }),
    });
}
