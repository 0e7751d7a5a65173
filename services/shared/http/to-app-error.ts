import { error as openApiErrors } from 'express-openapi-validator';
import { AppError } from '../errors/app-error.ts';
import { isUnreachable } from '../errors/is-unreachable.ts';
import { fieldErrorsOf } from './openapi-field-errors.ts';

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
