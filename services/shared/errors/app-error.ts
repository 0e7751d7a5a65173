import { type ErrorCode, errorCodes } from './error-codes.ts';

/** Field path to messages, as the contract's `errors` object: `{ "time[from]": ["…"] }`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

interface Details {
  /** The message for the client. Default: the message of the code. */
  readonly publicMessage?: string;
  readonly errors?: FieldErrors;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log; never sent. */
  readonly cause?: unknown;
}

/** The error that routes throw. The response to any other error is UNKNOWN_ERROR. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly publicMessage: string;
  readonly errors: FieldErrors | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, { publicMessage, errors, headers = {}, cause }: Details = {}) {
    const text = publicMessage ?? errorCodes[code].message;
    super(text, cause === undefined ? undefined : { cause });
    this.name = 'AppError';
    this.code = code;
    this.status = errorCodes[code].status;
    this.publicMessage = text;
    this.errors = errors;
    this.headers = headers;
  }
}

export function validationError(errors: FieldErrors): AppError {
  return new AppError('VALIDATION_FAIL', { errors });
}

/** Tells the client when to send the request again. */
export function retryAfter(seconds: number): Record<string, string> {
  return { 'Retry-After': String(seconds) };
}
