import type { Request } from 'express';
import { compressed, type ContentEncoding } from './compressed.ts';

/** Compressing less saves nothing: a response fits into one packet. */
const minBytes = 1_024;

export interface EncodedBody {
  readonly encoding: ContentEncoding | undefined;
  readonly chunks: AsyncIterable<Buffer>;
}

/**
 * Compresses a response if the client accepts it, unless it is small. Resolves when the first chunks
 * have arrived, or throws their error.
 */
export async function encoded(req: Request, chunks: AsyncGenerator<Buffer>): Promise<EncodedBody> {
  const encoding = acceptedEncoding(req);
  if (encoding === undefined) return { encoding, chunks };
  const first: Buffer[] = [];
  let bytes = 0;
  while (bytes < minBytes) {
    const next = await chunks.next();
    if (next.done === true) break;
    first.push(next.value);
    bytes += next.value.length;
  }
  const all = joined(first, chunks);
  return bytes < minBytes && req.acceptsEncodings('identity') !== false
    ? { encoding: undefined, chunks: all }
    : { encoding, chunks: compressed(all, encoding) };
}

function acceptedEncoding(req: Request): ContentEncoding | undefined {
  const accepted = req.acceptsEncodings('gzip', 'br', 'identity');
  return accepted === 'gzip' || accepted === 'br' ? accepted : undefined;
}

async function* joined(
  first: readonly Buffer[],
  rest: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  yield* first;
  yield* rest;
}
