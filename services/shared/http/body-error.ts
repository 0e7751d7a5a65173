import { AppError } from '../errors/app-error.ts';

/**
 * Maps an error of body-parser to an AppError. body-parser sets a type on its errors:
 * https://github.com/expressjs/body-parser#errors
 */
export function bodyError(thrown: unknown): unknown {
  const type = (thrown as { type?: unknown } | null)?.type;
  switch (type) {
    case 'entity.parse.failed':
      return new AppError('BAD_REQUEST', { publicMessage: 'The request body is not valid JSON' });
    case 'entity.not.utf-8':
      return new AppError('BAD_REQUEST', { publicMessage: 'The request body is not valid UTF-8' });
    case 'entity.too.large':
      return new AppError('PAYLOAD_TOO_LARGE', {
        publicMessage: `The request body is larger than ${limitOf(thrown)} bytes`,
      });
    case 'entity.too.many.values':
      return new AppError('PAYLOAD_TOO_LARGE', {
        publicMessage: `The request body has more than ${limitOf(thrown)} values`,
      });
    case 'entity.too.deep':
      return new AppError('BAD_REQUEST', {
        publicMessage: `The request body is nested more than ${limitOf(thrown)} levels deep`,
      });
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new AppError('UNSUPPORTED_MEDIA_TYPE');
    case 'request.aborted':
    case 'request.size.invalid':
    case 'entity.verify.failed':
      return new AppError('BAD_REQUEST', { cause: thrown });
    default:
      // The body does not match its Content-Encoding.
      return isZlibError(thrown) ? new AppError('BAD_REQUEST', { cause: thrown }) : thrown;
  }
}

function limitOf(thrown: unknown): number {
  return (thrown as { limit: number }).limit;
}

/** `Z_DATA_ERROR` and similar for gzip and deflate, `ERR__ERROR_FORMAT_…` for brotli. */
function isZlibError(thrown: unknown): boolean {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(Z_|ERR__ERROR_FORMAT)/.test(code);
}
