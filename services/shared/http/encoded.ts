import type { Request } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type BrotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  type Gzip,
} from 'node:zlib';

/** Compressing less saves nothing: a response fits into one packet. */
const minBytes = 1_024;

/**
 * Compresses a response if the client accepts it, unless it is small. Resolves when the first chunks
 * have arrived, or throws their error.
 */
export async function encoded(req: Request, chunks: AsyncGenerator<Buffer>) {
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

type ContentEncoding = 'gzip' | 'br';

/** How long compressed bytes may wait for more. Every flush costs some compression. */
const flushMs = 100;

/**
 * Compresses a stream with backpressure, outside of the event loop. Flushes, so that rows arrive while
 * the query is still running.
 */
async function* compressed(
  chunks: AsyncIterable<Buffer>,
  encoding: ContentEncoding,
): AsyncGenerator<Buffer> {
  const encoder =
    encoding === 'gzip' ? createGzip(gzipOptions) : createBrotliCompress(brotliOptions);
  const feeding = pipeline(
    Readable.from(flushedLater(chunks, encoder), { objectMode: false }),
    encoder,
  );
  // Reading from the encoder throws the same error.
  feeding.catch(() => undefined);
  for await (const chunk of encoder) yield chunk as Buffer;
  await feeding;
}

async function* flushedLater(
  chunks: AsyncIterable<Buffer>,
  encoder: Gzip | BrotliCompress,
): AsyncGenerator<Buffer> {
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const chunk of chunks) {
      yield chunk;
      timer ??= setTimeout(() => {
        timer = undefined;
        if (!encoder.destroyed) encoder.flush();
      }, flushMs);
    }
  } finally {
    clearTimeout(timer);
  }
}

// Fast: the query must not wait for its compression.
const gzipOptions = { level: 3 };
const brotliOptions = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    // A window of 512 KB: the default of 4 MB needs 10 MB of memory per response.
    [constants.BROTLI_PARAM_LGWIN]: 19,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};
