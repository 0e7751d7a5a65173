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
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, 'UNREADABLE', 'The response is incomplete. Try again.');
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
  throw new ApiError(response.status, code, `${message}${retryText(response)}`, errors);
}

/** ` Try again in 12 seconds.`: a service that refuses a request for now says for how long. */
function retryText({ headers }: Response): string {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  if (!Number.isFinite(seconds)) return '';
  const wait = Math.max(1, Math.ceil(seconds));
  return ` Try again in ${wait === 1 ? 'a second' : `${wait} seconds`}.`;
}

/** The data of a response. */
export async function dataOf<T>(call: Promise<ClientResult<Envelope<T>>>): Promise<T> {
  return (await apiResponse(call)).data;
}

/**
 * `fetch` for the generated client of a service: the token is the only credential, and a redirect must not forward it.
 * Names the service if it does not answer, or if something in front of it does.
 */
export function requestSender(service: string): (request: Request) => Promise<Response> {
  return async (request) => {
    const name = `The ${service} at ${new URL(request.url).host}`;
    const response = await send(request, name);
    const type = response.headers.get('content-type') ?? '';
    if (response.ok || type.includes('json')) return response;
    const id = response.headers.get('x-request-id');
    const where = id === null ? 'The response has no request id' : `Request id: ${id}`;
    const message = `${name} answered with status ${response.status} and no message. Try again, or ask its operator. ${where}.`;
    throw new ApiError(response.status, 'UNREADABLE', `${message}${retryText(response)}`);
  };
}

async function send(request: Request, name: string): Promise<Response> {
  try {
    return await fetch(request, { credentials: 'omit', redirect: 'error' });
  } catch {
    request.signal.throwIfAborted();
    const message = `${name} could not be reached. Check the connection and try again.`;
    throw new ApiError(0, 'UNREACHABLE', message);
  }
}
