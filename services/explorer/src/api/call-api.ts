export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** An error response, with the message of the service. */
export class ApiError extends Error {
  /** 0 without a response. */
  readonly status: number;
  readonly code: string;
  /** Messages by field path, such as `filters[0].id` or `metadata[package]`. */
  readonly errors: FieldErrors;

  constructor(status: number, code: string, message: string, errors: FieldErrors = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

export interface ApiCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly authorization: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface ApiResponse<T> {
  readonly data: T;
  readonly message: string;
  readonly headers: Headers;
}

interface Envelope {
  readonly code?: string;
  readonly message?: string;
  readonly data?: unknown;
  readonly errors?: FieldErrors;
}

/** Sends one request. Rejects with the signal's reason when aborted. */
export async function callApi<T>(url: string, call: ApiCall): Promise<ApiResponse<T>> {
  const { method = 'GET', authorization, body, headers, signal } = call;
  let response: Response;
  let envelope: Envelope;
  try {
    response = await fetch(url, {
      method,
      headers: {
        Accept: 'application/json',
        Authorization: authorization,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      // The token is the only credential, and a redirect must not forward it.
      credentials: 'omit',
      redirect: 'error',
    });
    envelope = (await response.json()) as Envelope;
  } catch (error) {
    signal?.throwIfAborted();
    throw new ApiError(0, 'UNREACHABLE', explainFailure(error));
  }
  const { code = 'UNKNOWN_ERROR', message = 'The response is not valid.', errors } = envelope;
  if (!response.ok) throw new ApiError(response.status, code, message, errors);
  return { data: envelope.data as T, message, headers: response.headers };
}

/** For an exception that is not an ApiError. */
export const unexpectedError = 'An unexpected error occurred. Reload the page.';

function explainFailure(error: unknown): string {
  return error instanceof SyntaxError
    ? 'The response is incomplete. Try again.'
    : 'The service could not be reached. Check the connection and try again.';
}
