import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { unpackClickHouseBlocks } from './compression/clickhouse-blocks.ts';
import { unpackLz4Frames } from './compression/lz4-frames.ts';
import { ServerException } from './server-exception.ts';

/** The largest body taken, after decompression: it is held in memory, like the tables themselves. */
const bodyLimitBytes = 1024 ** 3;

/** Reads and decompresses a request's body; with `inBlocks`, from ClickHouse's own blocks (decompress=1). */
export async function requestBody(req: IncomingMessage, inBlocks: boolean): Promise<Uint8Array> {
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
  const isLz4 = req.headers['content-encoding'] === 'lz4';
  const sent = Buffer.concat(pieces);
  const plain = isLz4 ? unpacked(sent, unpackLz4Frames) : sent;
  return inBlocks ? unpacked(plain, unpackClickHouseBlocks) : plain;
}

const bodyTooLarge = () =>
  new ServerException(
    229,
    'QUERY_IS_TOO_LARGE',
    `The body is larger than ${bodyLimitBytes} bytes; insert in smaller batches.`,
  );

// As a stream, where zlib has one; LZ4 is unpacked when it has been read.
function decompressed(req: IncomingMessage): Readable {
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity' || encoding === 'lz4') return req;
  const createDecoder = decoders.get(encoding);
  if (createDecoder === undefined) {
    throw new ServerException(
      89,
      'UNKNOWN_COMPRESSION_METHOD',
      `Unknown compression method '${encoding}'; the local server takes ${[...decoders.keys(), 'lz4'].join(', ')}.`,
    );
  }
  const decoder = createDecoder();
  // After a refusal it is not read any more, and an error without a listener ends the process.
  decoder.on('error', () => undefined);
  // A caller that hangs up in the middle must end the reading too.
  req.once('error', (error) => decoder.destroy(error));
  return req.pipe(decoder);
}

const decoders = new Map<string, () => Transform>([
  ['gzip', zlib.createGunzip],
  ['deflate', zlib.createInflate],
  ['br', zlib.createBrotliDecompress],
  // From Node 22.15 on.
  ...('createZstdDecompress' in zlib ? [['zstd', zlib.createZstdDecompress] as const] : []),
]);

function unpacked(body: Buffer, unpack: (body: Buffer, limitBytes: number) => Uint8Array): Buffer {
  try {
    return Buffer.from(unpack(body, bodyLimitBytes));
  } catch (error) {
    if (error instanceof RangeError && error.message.includes('too large')) throw bodyTooLarge();
    const reason = (error as Error).message;
    throw new ServerException(
      271,
      'CANNOT_DECOMPRESS',
      `The body cannot be decompressed: ${reason}.`,
    );
  }
}
