import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ServerException } from './server-exception.ts';

/** The largest body taken, after decompression: it is held in memory, like the tables themselves. */
export const bodyLimitBytes = 1024 ** 3;

/** Reads and decompresses a request's body. */
export async function requestBody(req: IncomingMessage): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of decompressed(req) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > bodyLimitBytes) {
      throw new ServerException(
        229,
        'QUERY_IS_TOO_LARGE',
        `The body is larger than ${bodyLimitBytes} bytes; insert in smaller batches.`,
      );
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function decompressed(req: IncomingMessage): Readable {
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return req;
  if (encoding === 'gzip') {
    const gunzip = createGunzip();
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
