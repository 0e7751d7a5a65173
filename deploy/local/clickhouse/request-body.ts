import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ServerException } from './server-exception.ts';

/** The largest body taken, after decompression: it is held in memory, like the tables themselves. */
export const bodyLimitBytes = 1024 ** 3;

/** Reads and decompresses a request's body. */
export async function requestBody(req: IncomingMessage): Promise<Uint8Array> {
  if (Number(req.headers['content-length'] ?? 0) > bodyLimitBytes) throw bodyTooLarge();
  let size = 0;
  const pieces: Uint8Array[] = [];
  // Left undestroyed when it is refused half-way, so that the refusal can still be sent.
  const body = decompressed(req).iterator({ destroyOnReturn: false });
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > bodyLimitBytes) throw bodyTooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const bodyTooLarge = () =>
  new ServerException(
    229,
    'QUERY_IS_TOO_LARGE',
    `The body is larger than ${bodyLimitBytes} bytes; insert in smaller batches.`,
  );

function decompressed(req: IncomingMessage): Readable {
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return req;
  if (encoding === 'gzip') {
    const gunzip = createGunzip();
    // After a refusal nobody reads it any more, and an error nobody hears ends the process.
    gunzip.on('error', () => undefined);
    // A caller that hangs up in the middle must end the reading too.
    req.once('error', (error) => gunzip.destroy(error));
    return req.pipe(gunzip);
  }
  throw new ServerException(
    89,
    'UNKNOWN_COMPRESSION_METHOD',
    `Unknown compression method '${encoding}'; the local server takes gzip.`,
  );
}
