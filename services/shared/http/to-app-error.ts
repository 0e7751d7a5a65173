import { error as openApiErrors } from 'express-openapi-validator';
import { AppError } from '../errors/app-error.ts';
import { isUnreachable } from '../errors/is-unreachable.ts';
import { fieldErrorsOf } from './openapi-field-errors.ts';

/**
 * What a thrown value means to the caller. Unknown things are UNKNOWN_ERROR and tell nothing.
 *
 * A `status`, `statusCode` or `type` of an error is never looked at: errors of S3, Postgres and
 * ClickHouse carry such fields too, about their own requests and not about the caller's.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return openApiError(thrown) ?? unknownError(thrown);
}

function openApiError(thrown: unknown): AppError | undefined {
  if (thrown instanceof openApiErrors.NotFound) return new AppError('NOT_FOUND');
  // The headers are Allow, with the methods that the contract has for this path.
  if (thrown instanceof openApiErrors.MethodNotAllowed)
    return new AppError('METHOD_NOT_ALLOWED', { headers: { ...thrown.headers } });
  if (thrown instanceof openApiErrors.UnsupportedMediaType)
    return new AppError('UNSUPPORTED_MEDIA_TYPE');
  if (thrown instanceof openApiErrors.BadRequest)
    return new AppError('VALIDATION_FAIL', { errors: fieldErrorsOf(thrown.errors) });
  return undefined;
}

function unknownError(thrown: unknown): AppError {
  // Express refuses a path such as /%ff before any route sees it.
  if (thrown instanceof URIError && thrown.message.startsWith('Failed to decode param ')) {
    return new AppError('NOT_FOUND');
  }
  if (isUnreachable(thrown)) {
    return new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '5' }, cause: thrown });
  }
  return new AppError('UNKNOWN_ERROR', { cause: thrown });
}
