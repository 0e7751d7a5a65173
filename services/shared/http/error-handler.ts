import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express';
import { trace } from '@opentelemetry/api';
import { AppError, type FieldErrors } from '../errors/app-error.ts';
import type { Logger } from '../logging/create-logger.ts';
import { recordError } from '../tracing/record-error.ts';
import { sendError } from './envelope.ts';
import { logFieldsOf } from './request-context.ts';
import { error as openApiErrors } from 'express-openapi-validator';
import { isUnreachable } from '../errors/is-unreachable.ts';
import { maxProblems } from '../errors/problems.ts';
import { shortened } from '../errors/shortened.ts';

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

/**
 * Maps a thrown value to an AppError. Unknown errors become UNKNOWN_ERROR without details.
 *
 * Ignores `status`, `statusCode` and `type` of errors: errors of S3, Postgres and ClickHouse have such
 * fields too, about their own requests.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return openApiError(thrown) ?? unknownError(thrown);
}

function openApiError(thrown: unknown): AppError | undefined {
  if (thrown instanceof openApiErrors.NotFound) return new AppError('NOT_FOUND');
  // The header Allow lists the methods of this path.
  if (thrown instanceof openApiErrors.MethodNotAllowed)
    return new AppError('METHOD_NOT_ALLOWED', { headers: { ...thrown.headers } });
  if (thrown instanceof openApiErrors.UnsupportedMediaType)
    return new AppError('UNSUPPORTED_MEDIA_TYPE');
  if (thrown instanceof openApiErrors.BadRequest)
    return new AppError('VALIDATION_FAIL', { errors: fieldErrorsOf(thrown.errors) });
  return undefined;
}

function unknownError(thrown: unknown): AppError {
  // Express rejects a path such as /%ff before routing.
  if (thrown instanceof URIError && thrown.message.startsWith('Failed to decode param ')) {
    return new AppError('NOT_FOUND');
  }
  if (isUnreachable(thrown)) {
    return new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '5' }, cause: thrown });
  }
  return new AppError('UNKNOWN_ERROR', { cause: thrown });
}

interface OpenApiProblem {
  readonly path: string;
  readonly message: string;
}

/** Converts the validator's errors to the contract's `errors`: `/body/time/from` to `time[from]`. */
export function fieldErrorsOf(problems: readonly OpenApiProblem[]): FieldErrors {
  // A Map, because a client may send a field `constructor`, which every object inherits.
  const errors = new Map<string, string[]>();
  for (const { path, message } of problems.slice(0, maxProblems)) {
    const field = shortened(fieldPath(path));
    errors.set(field, [...(errors.get(field) ?? []), `${capitalised(shortened(message))}.`]);
  }
  return Object.fromEntries(errors);
}

/** `/body/filters/0/id` → `filters[0][id]`; `/query/limit` → `limit`; `/body` → `body`. */
export function fieldPath(path: string): string {
  const steps = path.split('/').filter((step) => step !== '');
  const [place, ...rest] = steps;
  const named = place === 'body' || place === 'query' || place === 'params' ? rest : steps;
  if (named.length === 0) return place ?? 'body';
  return named.map((step, index) => (index === 0 ? step : `[${step}]`)).join('');
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, '');
}
