import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Compressors } from 'hyparquet';
import { unzstdSync } from '../../../results/compression/unzstd.ts';

/** Compression of pages, besides Snappy, which hyparquet contains. */
export const parquetCompressors: Compressors = {
  GZIP: (input) => gunzipSync(input),
  BROTLI: (input) => brotliDecompressSync(input),
  ZSTD: unzstdSync,
};
