import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express';
import { trace } from '@opentelemetry/api';
import { AppError } from '../errors/app-error.ts';
import type { Logger } from '../logging/create-logger.ts';
import { recordError } from '../tracing/record-error.ts';
import { sendError } from './envelope.ts';
import { logFieldsOf } from './request-context.ts';
import { toAppError } from './to-app-error.ts';

/** The only place that turns errors into responses. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  return async (thrown: unknown, _req: Request, res: Response, _next: NextFunction) => {
    const error = toAppError(thrown);
    const details = { ...logFieldsOf(res), code: error.code, error: describe(thrown) };
    if (error.status >= 500) {
      logger.error('request failed', details);
      recordOnSpan(error);
    } else logger.debug('request rejected', details);
    if (res.headersSent) {
      // Close the connection: an incomplete response must not look complete.
      res.destroy();
      return;
    }
    await sendError(res, error);
  };
}

export const unknownRoute: RequestHandler = () => {
  throw new AppError('NOT_FOUND');
};

// Only for 5xx: by the OpenTelemetry conventions, 4xx is not an error of the server span.
function recordOnSpan(error: AppError): void {
  const span = trace.getActiveSpan();
  if (span !== undefined) recordError(span, error);
}

function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const own = thrown.stack ?? thrown.message;
  return thrown.cause === undefined ? own : `${own}\ncaused by: ${describe(thrown.cause)}`;
}
