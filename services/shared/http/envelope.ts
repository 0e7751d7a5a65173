import type { Response } from 'express';
import type { AppError } from '../errors/app-error.ts';
import type { Warning } from '../errors/warnings.ts';
import { redactOwnTokens } from '../logging/redact-tokens.ts';
import { encoded } from './encoded.ts';

/** The default message of a successful response. */
export const successMessage = 'The request was successful';

export interface SuccessBody {
  readonly message?: string;
  readonly data?: unknown;
  /** Names and other facts about the keys in `data`. */
  readonly names?: Readonly<Record<string, string>>;
  /** The next page of a listing, if there is one. */
  readonly next?: string;
  /** Sent only if there are any. */
  readonly warnings?: readonly Warning[];
}

export function sendOk(res: Response, body: SuccessBody = {}): Promise<void> {
  const { message = successMessage, warnings = [], ...rest } = body;
  const all = { code: 'OK', message, ...rest, ...(warnings.length > 0 ? { warnings } : {}) };
  return sendJson(res, JSON.stringify(all));
}

/** A page of a listing, with the link to the next one if there is one. */
export function sendPage(
  res: Response,
  next: string | undefined,
  body: Omit<SuccessBody, 'next'>,
): Promise<void> {
  if (next === undefined) return sendOk(res, body);
  res.set('Link', `<${next}>; rel="next"`);
  return sendOk(res, { ...body, next });
}

export function sendError(res: Response, error: AppError): Promise<void> {
  const body = {
    code: error.code,
    message: error.publicMessage,
    ...(error.errors === undefined ? {} : { errors: error.errors }),
  };
  // Messages repeat values of the request, and clients log errors.
  res.status(error.status).set(error.headers);
  return sendJson(res, redactOwnTokens(JSON.stringify(body)));
}

/** Sends a JSON text with its length, compressed if the client accepts it and it is not small. */
async function sendJson(res: Response, text: string): Promise<void> {
  const { encoding, chunks } = await encoded(res.req, oneChunk(Buffer.from(text)));
  const body: Buffer[] = [];
  for await (const chunk of chunks) body.push(chunk);
  res.type('json').vary('Accept-Encoding');
  if (encoding !== undefined) res.set('Content-Encoding', encoding);
  res.send(Buffer.concat(body));
}

// eslint-disable-next-line @typescript-eslint/require-await -- encoded reads asynchronous streams
async function* oneChunk(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}
