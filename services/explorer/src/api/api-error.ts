export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** An error response, with the message of the service. */
export class ApiError extends Error {
  /** 0 without a response. */
  readonly status: number;
  readonly code: string;
  /** Messages by field path, such as `filters[0][id]` or `metadata[package]`. */
  readonly errors: FieldErrors;

  constructor(status: number, code: string, message: string, errors: FieldErrors = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.errors = errors;
  }

  /** The token is invalid. A valid token without the scope of an operation has another code. */
  get isDenied(): boolean {
    return this.code === 'ACCESS_DENIED';
  }
}

/** The error of the service; another exception is one without a response. */
export function failureOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, 'UNEXPECTED', 'An unexpected error occurred. Reload the page.');
}
