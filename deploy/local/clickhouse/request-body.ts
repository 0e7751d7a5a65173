import type { IncomingMessage } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { unzstd, ZstdError } from '../../../services/results/compression/unzstd.ts';
import { unpackClickHouseBlocks } from './compression/clickhouse-blocks.ts';
import { unpackLz4Frames } from './compression/lz4-frames.ts';
import { ServerException } from './server-exception.ts';

/** Maximum size of a body after decompression; it is held in memory. */
const bodyLimitBytes = 1024 ** 3;

/** Reads and decompresses a request's body. `inBlocks`: ClickHouse's block compression (decompress=1). */
export async function requestBody(req: IncomingMessage, inBlocks: boolean): Promise<Uint8Array> {
  if (Number(req.headers['content-length'] ?? 0) > bodyLimitBytes) throw bodyTooLarge();
  let size = 0;
  const chunks: Uint8Array[] = [];
  // Not destroyed when the body is rejected, so that the error response can still be sent.
  const body = decompressed(req).iterator({ destroyOnReturn: false });
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > bodyLimitBytes) throw bodyTooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof ZstdError ? cannotDecompress(error) : error;
  }
  const isLz4 = req.headers['content-encoding'] === 'lz4';
  const sent = Buffer.concat(chunks);
  const plain = isLz4 ? unpacked(sent, unpackLz4Frames) : sent;
  return inBlocks ? unpacked(plain, unpackClickHouseBlocks) : plain;
}

const bodyTooLarge = () =>
  new ServerException(
    229,
    'QUERY_IS_TOO_LARGE',
    `The body is larger than ${bodyLimitBytes} bytes; insert in smaller batches.`,
  );

// LZ4 is not decompressed here, because zlib does not support it.
function decompressed(req: IncomingMessage): Readable {
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity' || encoding === 'lz4') return req;
  if (encoding === 'zstd') return Readable.from(unzstd(bytesOf(req), { maxWindowLog: 27 }));
  const createDecoder = decoders.get(encoding);
  if (createDecoder === undefined) {
    throw new ServerException(
      89,
      'UNKNOWN_COMPRESSION_METHOD',
      `Unknown compression method '${encoding}'; the local server supports ${[...decoders.keys(), 'zstd', 'lz4'].join(', ')}.`,
    );
  }
  const decoder = createDecoder();
  // After a rejected body nothing reads the decoder, and an error without a listener ends the process.
  decoder.on('error', () => undefined);
  // A client disconnect must end the reading too.
  req.once('error', (error) => decoder.destroy(error));
  return req.pipe(decoder);
}

const decoders = new Map<string, () => Transform>([
  ['gzip', zlib.createGunzip],
  ['deflate', zlib.createInflate],
  ['br', zlib.createBrotliDecompress],
]);

function bytesOf(req: IncomingMessage): AsyncIterable<Buffer> {
  return req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

function unpacked(body: Buffer, unpack: (body: Buffer, limitBytes: number) => Uint8Array): Buffer {
  try {
    return Buffer.from(unpack(body, bodyLimitBytes));
  } catch (error) {
    if (error instanceof RangeError && error.message.includes('too large')) throw bodyTooLarge();
    throw cannotDecompress(error as Error);
  }
}

function cannotDecompress({ message }: Error): ServerException {
  return new ServerException(
    271,
    'CANNOT_DECOMPRESS',
    `The body cannot be decompressed: ${message}.`,
  );
}
