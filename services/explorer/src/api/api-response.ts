import type { Warning } from '../../../../openapi/client/index.ts';
import { ApiError, type FieldErrors } from './api-error.ts';

export interface ApiResponse<T> {
  readonly data: T;
  readonly message: string;
  readonly warnings: readonly Warning[];
  /** The link to the next page of a listing. */
  readonly next: string | undefined;
  readonly headers: Headers;
}

interface Envelope<T> {
  readonly message: string;
  readonly data?: T;
  readonly next?: string;
}

interface ErrorEnvelope {
  readonly code?: string;
  readonly message?: string;
  readonly errors?: FieldErrors;
}

/** What a call of the generated client returns. */
interface ClientResult<T> {
  readonly data?: T | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** The content of a response. Rejects with an ApiError, or with the signal's reason when aborted. */
export async function apiResponse<T>(
  call: Promise<ClientResult<Envelope<T>>>,
  signal?: AbortSignal,
): Promise<ApiResponse<T>> {
  let result: ClientResult<Envelope<T>>;
  try {
    result = await call;
  } catch (error) {
    signal?.throwIfAborted();
    throw new ApiError(0, 'UNREACHABLE', explainFailure(error));
  }
  const { data: envelope, error, response } = result;
  if (envelope !== undefined && response.ok) {
    const { data, message, next } = envelope;
    // The warnings of a change have another type and are not shown.
    const { warnings = [] } = envelope as { readonly warnings?: readonly Warning[] };
    return { data: data as T, message, warnings, next, headers: response.headers };
  }
  const {
    code = 'UNKNOWN_ERROR',
    message = 'The response is not valid.',
    errors,
  } = typeof error === 'object' && error !== null ? (error as ErrorEnvelope) : {};
  throw new ApiError(response.status, code, message, errors);
}

/** The data of a response. */
export async function dataOf<T>(call: Promise<ClientResult<Envelope<T>>>): Promise<T> {
  return (await apiResponse(call)).data;
}

/** For the generated client: the token is the only credential, and a redirect must not forward it. */
export function sendRequest(request: Request): Promise<Response> {
  return fetch(request, { credentials: 'omit', redirect: 'error' });
}

function explainFailure(error: unknown): string {
  return error instanceof SyntaxError
    ? 'The response is incomplete. Try again.'
    : 'The service could not be reached. Check the connection and try again.';
}
