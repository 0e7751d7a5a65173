import { error as openApiErrors } from 'express-openapi-validator';
import { AppError } from '../errors/app-error.ts';
import { isUnreachable } from '../errors/is-unreachable.ts';
import { fieldErrorsOf } from './openapi-field-errors.ts';

/** What a thrown value means to the caller. Unknown things are UNKNOWN_ERROR and tell nothing. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return bodyReaderError(thrown) ?? openApiError(thrown) ?? unknownError(thrown);
}

/** body-parser marks its errors with a type: https://github.com/expressjs/body-parser#errors */
function bodyReaderError(thrown: unknown): AppError | undefined {
  const type = (thrown as { type?: unknown } | null)?.type;
  switch (type) {
    case 'entity.parse.failed':
      return new AppError('BAD_REQUEST', { publicMessage: 'The request body is not valid JSON' });
    case 'entity.not.utf-8':
      return new AppError('BAD_REQUEST', { publicMessage: 'The request body is not valid UTF-8' });
    case 'entity.too.large':
      return new AppError('PAYLOAD_TOO_LARGE', {
        publicMessage: `The request body is larger than ${(thrown as { limit: number }).limit} bytes`,
      });
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new AppError('UNSUPPORTED_MEDIA_TYPE');
    case 'request.aborted':
    case 'request.size.invalid':
    case 'entity.verify.failed':
      return new AppError('BAD_REQUEST', { cause: thrown });
    default:
      return undefined;
  }
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
  if (thrown instanceof URIError) return new AppError('NOT_FOUND');
  if (isUnreachable(thrown)) {
    return new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '5' }, cause: thrown });
  }
  // A body that is not packed the way its header says.
  if (isZlibError(thrown)) return new AppError('BAD_REQUEST', { cause: thrown });
  return new AppError('UNKNOWN_ERROR', { cause: thrown });
}

/** `Z_DATA_ERROR` and the like of gzip and deflate, `ERR__ERROR_FORMAT_…` of brotli. */
function isZlibError(thrown: unknown): boolean {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(Z_|ERR__ERROR_FORMAT)/.test(code);
}
