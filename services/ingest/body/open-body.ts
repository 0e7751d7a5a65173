import type { Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { unzstd, ZstdError, type ZstdLimits } from '../../results/compression/unzstd.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import type { ContentEncoding } from '../request/content-type.ts';
import { gunzip } from './gunzip.ts';

interface BodyLimits {
  /** As sent. */
  readonly maxBytes: number;
  /** After decompression. */
  readonly maxDecodedBytes: number;
  /** Called with the size after decompression so far. */
  readonly onDecoded: (bytes: number) => void;
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
  { maxBytes, maxDecodedBytes, onDecoded, hash }: BodyLimits,
): AsyncGenerator<Buffer> {
  const sent = limited(received(req), maxBytes, 'The request body is', (chunk) =>
    hash?.update(chunk),
  );
  const what = encoding === 'identity' ? 'The request body is' : 'The decompressed request body is';
  const plain = {
    identity: () => sent,
    gzip: () => gunzip(sent),
    zstd: () => unzstd(sent, zstdLimits),
  };
  let decodedBytes = 0;
  try {
    yield* limited(plain[encoding](), maxDecodedBytes, what, ({ length }) => {
      decodedBytes += length;
      onDecoded(decodedBytes);
    });
  } catch (error) {
    throw compressionError(error, encoding);
  }
}

/** The bytes of a request. It stays open when reading stops early, so that the response can be sent. */
async function* received(req: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new AppError('BAD_REQUEST', {
      publicMessage: 'The request was cut off before its end',
      cause: error,
    });
  }
}

async function* limited(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  what: string,
  onChunk: (chunk: Buffer) => void = () => undefined,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new AppError('PAYLOAD_TOO_LARGE', {
        publicMessage: `${what} larger than ${maxBytes} bytes. Send several smaller requests.`,
      });
    }
    onChunk(chunk);
    yield chunk;
  }
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
