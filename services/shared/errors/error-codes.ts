/** All error codes, with their status and default message. */
export const errorCodes = {
  BAD_REQUEST: { status: 400, message: 'The request could not be read' },
  ACCESS_DENIED: { status: 403, message: 'Access Denied' },
  INSUFFICIENT_SCOPE: { status: 403, message: 'This token does not have the required scope' },
  PRIVACY_FLOOR: { status: 403, message: 'This token reads no data of single households' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request was not complete in time' },
  EXPORT_CANCELLED: { status: 409, message: 'The export was cancelled' },
  EXPORT_ERASED: {
    status: 410,
    message:
      'The export was deleted, because it may contain an erased household. Please start it again.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The request body must be application/json' },
  VALIDATION_FAIL: { status: 422, message: 'Validation failed' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Please retry shortly.' },
  UNKNOWN_ERROR: {
    status: 500,
    message: 'An unexpected error occurred. Please retry shortly.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service is temporarily unavailable. Please retry shortly.',
  },
  CLOCK_SKEW: {
    status: 503,
    message:
      'The clock of the service differs from the clock of its database. Please send the same request again later.',
  },
  QUERY_TIMEOUT: {
    status: 504,
    message: 'The query timed out. Send a shorter range or fewer splits.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** OK, or the error code of a status; empty if no code has this status. */
export function codeOfStatus(status: number): string {
  if (status < 300) return 'OK';
  const found = Object.entries(errorCodes).find(([, entry]) => entry.status === status);
  return found?.[0] ?? '';
}
