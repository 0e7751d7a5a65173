import zlib from 'node:zlib';
import { decompress } from 'fzstd';
import { decompressedBy } from './decompressed-by.ts';
import { ZstdError } from './zstd-error.ts';
import { zstdFrames, type ZstdLimits } from './zstd-frames.ts';

/** Decompresses zstd. Node has it from version 22.15 on; before, fzstd does it. Throws a ZstdError. */
export async function* unzstd(
  source: AsyncIterable<Buffer>,
  limits: ZstdLimits,
): AsyncGenerator<Buffer> {
  if (!isBuiltIn) {
    yield* zstdFrames(source, limits);
    return;
  }
  const { ZSTD_d_windowLogMax: windowLogMax } = zlib.constants;
  const params = { [windowLogMax]: limits.maxWindowLog };
  try {
    yield* decompressedBy(zlib.createZstdDecompress({ params }), source);
  } catch (error) {
    throw toZstdError(error);
  }
}

/** Decompresses a page of a Parquet file. */
export function unzstdSync(input: Uint8Array): Uint8Array {
  return isBuiltIn ? zlib.zstdDecompressSync(input) : decompress(input);
}

const isBuiltIn = typeof (zlib as Partial<typeof zlib>).createZstdDecompress === 'function';

function toZstdError(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || !/^Z(STD)?_/.test(code)) return error;
  const isCut = code === 'Z_BUF_ERROR' || /unexpected end/i.test(message);
  return new ZstdError(`the zstd data is ${isCut ? 'cut short' : 'damaged'}`, { cause: error });
}
