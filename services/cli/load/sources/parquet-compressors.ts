import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Compressors } from 'hyparquet';
import { unzstdSync } from '../input/zstd.ts';

/** Compression of pages, besides Snappy, which hyparquet contains. */
export const parquetCompressors: Compressors = {
  GZIP: (input) => gunzipSync(input),
  BROTLI: (input) => brotliDecompressSync(input),
  ZSTD: unzstdSync,
};
