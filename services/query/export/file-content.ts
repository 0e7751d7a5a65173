import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CsvRowCounter } from '../formats/csv-row-counter.ts';
import type { ExportFormat } from '../formats/file-format.ts';
import { ParquetRowCounter } from '../formats/parquet-row-counter.ts';

/** The size and hash of a file, updated while it is written. */
export interface FileStats {
  rows: number;
  bytes: number;
  sha256: Buffer | undefined;
}

/** Turns ClickHouse's response into the bytes of the file, counts them, and throws if incomplete. */
export async function* fileContent(
  response: AsyncIterable<Buffer>,
  format: ExportFormat,
  stats: FileStats,
): AsyncGenerator<Buffer> {
  const counted = rowsCounted(response, format, stats);
  const hash = createHash('sha256');
  for await (const chunk of format === 'csv.gz' ? gzipped(counted) : counted) {
    hash.update(chunk);
    stats.bytes += chunk.length;
    yield chunk;
  }
  stats.sha256 = hash.digest();
}

async function* rowsCounted(
  response: AsyncIterable<Buffer>,
  format: ExportFormat,
  stats: FileStats,
): AsyncGenerator<Buffer> {
  const counter = format === 'parquet' ? new ParquetRowCounter() : new CsvRowCounter();
  for await (const chunk of response) {
    counter.add(chunk);
    stats.rows = counter.rows;
    yield chunk;
  }
  counter.finish();
  stats.rows = counter.rows;
}

/**
 * Compresses here instead of in ClickHouse: to find an exception within a compressed response, and to
 * count its rows, it would have to be decompressed again.
 */
async function* gzipped(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gzip = createGzip();
  const feeding = pipeline(Readable.from(chunks, { objectMode: false }), gzip);
  // Reading from gzip throws the same error.
  feeding.catch(() => undefined);
  for await (const chunk of gzip) yield chunk as Buffer;
  await feeding;
}
