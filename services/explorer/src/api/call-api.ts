export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** A refusal or failure in the service's own words. */
export class ApiError extends Error {
  /** 0 when there was no answer. */
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

export interface ApiAnswer<T> {
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

/** Sends one request; an aborted one rejects with the signal's reason. */
export async function callApi<T>(url: string, call: ApiCall): Promise<ApiAnswer<T>> {
  const { method = 'GET', authorization, body, headers, signal } = call;
  let answer: Response;
  let envelope: Envelope;
  try {
    answer = await fetch(url, {
      method,
      headers: {
        Accept: 'application/json',
        Authorization: authorization,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      // A token goes where it is told to go, and nothing else identifies the person.
      credentials: 'omit',
      redirect: 'error',
    });
    envelope = (await answer.json()) as Envelope;
  } catch (error) {
    signal?.throwIfAborted();
    throw new ApiError(0, 'UNREACHABLE', explainFailure(error));
  }
  const { code = 'UNKNOWN_ERROR', message = 'The answer makes no sense.', errors } = envelope;
  if (!answer.ok) throw new ApiError(answer.status, code, message, errors);
  return { data: envelope.data as T, message, headers: answer.headers };
}

function explainFailure(error: unknown): string {
  return error instanceof SyntaxError
    ? 'The answer broke off. Please try again.'
    : 'The service could not be reached. Check the connection and try again.';
}
