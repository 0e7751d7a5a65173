import type { Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { unzstd, ZstdError, type ZstdLimits } from '../../results/compression/unzstd.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import type { ContentEncoding } from '../request/parse-results-request.ts';
import type { Reservation } from './memory-budget.ts';

export interface BodyLimits {
  /** As sent. */
  readonly maxBytes: number;
  /** After decompression. */
  readonly maxDecodedBytes: number;
  readonly share: {
    /** Grows before the memory is used. */
    readonly memory: Pick<Reservation, 'growTo'>;
    /** Awaited within long work, so that other requests can run. */
    readonly nextTurn: () => Promise<void>;
  };
  /** Computes the hash of the body as sent. */
  readonly hash?: Hash;
}

/** Decompresses a request within its limits. The stream fails with an AppError. */
export function openBody(
  req: IncomingMessage,
  encoding: ContentEncoding,
  limits: BodyLimits,
): Readable {
  return Readable.from(decoded(req, encoding, limits), { objectMode: false });
}

async function* decoded(
  req: IncomingMessage,
  encoding: ContentEncoding,
  { maxBytes, maxDecodedBytes, share: { memory, nextTurn }, hash }: BodyLimits,
): AsyncGenerator<Buffer> {
  const sent = limited(received(req), maxBytes, 'The request body is', (chunk) =>
    hash?.update(chunk),
  );
  const what = encoding === 'identity' ? 'The request body is' : 'The decompressed request body is';
  const plain = {
    identity: () => sent,
    gzip: () => gunzip(sent),
    zstd: () =>
      unzstd(sent, { ...zstdLimits, onWindow: (bytes) => memory.growTo(bytes), nextTurn }),
  };
  let decodedBytes = 0;
  try {
    yield* limited(plain[encoding](), maxDecodedBytes, what, ({ length }) => {
      decodedBytes += length;
      return memory.growTo(memoryFactor * decodedBytes);
    });
  } catch (error) {
    throw compressionError(error, encoding);
  }
}

/** The memory of a body: its bytes, the rows to insert, and the buffers of the insert. */
const memoryFactor = 3;

/** The bytes of a request. It stays open when reading stops early, so that the response can be sent. */
async function* received(req: IncomingMessage): AsyncGenerator<Buffer> {
  for (;;) {
    await filled(req);
    if (req.destroyed && !req.readableEnded) {
      throw new AppError('BAD_REQUEST', {
        publicMessage: 'The request was cut off before its end',
        cause: req.errored,
      });
    }
    const chunk = req.read() as Buffer | null;
    if (chunk !== null) yield chunk;
    else if (req.complete) return;
  }
}

/** A client that sends byte by byte costs little: its bytes are collected by Node. */
const chunkBytes = 16 * 1024;

/** Resolves when there is a chunk, and at the end of the body. */
function filled(req: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const isFilled = () => req.readableLength >= chunkBytes || req.complete || req.destroyed;
    if (isFilled()) {
      resolve();
      return;
    }
    const check = () => {
      if (!isFilled()) return;
      req.off('readable', check).off('close', check);
      resolve();
    };
    req.on('readable', check).on('close', check);
  });
}

async function* limited(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  what: string,
  onChunk: (chunk: Buffer) => unknown,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new AppError('PAYLOAD_TOO_LARGE', {
        publicMessage: `${what} larger than ${maxBytes} bytes. Send several smaller requests.`,
      });
    }
    await onChunk(chunk);
    yield chunk;
  }
}

/** Decompresses gzip. An error of the source is thrown as it is. */
async function* gunzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const stream = createGunzip();
  // A pipeline would replace the error of the source by one about an early close.
  const feed = (async () => {
    for await (const chunk of source) {
      if (stream.destroyed) return;
      if (!stream.write(chunk)) await drained(stream);
    }
    stream.end();
  })();
  feed.catch((error: unknown) => stream.destroy(error as Error));
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } finally {
    stream.destroy();
  }
}

function drained(stream: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stream.off('drain', end).off('close', end);
      resolve();
    };
    stream.on('drain', end).on('close', end);
  });
}

/** Every decoder must support windows of 8 MiB (RFC 8878, 3.1.1.1.2). */
const zstdLimits: ZstdLimits = { maxWindowLog: 23, maxMovedBytes: 32 * 1024 ** 3 };

function compressionError(error: unknown, encoding: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const isCompression = error instanceof ZstdError || code?.startsWith('Z_') === true;
  if (!isCompression) return error;
  const detail = error instanceof ZstdError ? error.message : gzipMessage(code);
  return new AppError('BAD_REQUEST', {
    publicMessage: `The body does not match Content-Encoding: ${encoding}: ${detail}`,
    cause: error,
  });
}

function gzipMessage(code: string | undefined): string {
  return code === 'Z_BUF_ERROR' ? 'the data is cut short' : 'the data is damaged';
}
