import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CsvRowCounter } from './csv-row-counter.ts';
import type { ExportFormat } from './export-format.ts';
import { ParquetRowCounter } from './parquet-row-counter.ts';

/** What is known of a file while it is made, and of the file when it is. */
export interface FileFigures {
  rows: number;
  bytes: number;
  sha256: Buffer | undefined;
}

/** The bytes of the file out of those of ClickHouse; counts them, and throws when they are not whole. */
export async function* fileContent(
  answer: AsyncIterable<Buffer>,
  format: ExportFormat,
  figures: FileFigures,
): AsyncGenerator<Buffer> {
  const counted = rowsCounted(answer, format, figures);
  const hash = createHash('sha256');
  for await (const piece of format === 'csv.gz' ? gzipped(counted) : counted) {
    hash.update(piece);
    figures.bytes += piece.length;
    yield piece;
  }
  figures.sha256 = hash.digest();
}

async function* rowsCounted(
  answer: AsyncIterable<Buffer>,
  format: ExportFormat,
  figures: FileFigures,
): AsyncGenerator<Buffer> {
  const counter = format === 'parquet' ? new ParquetRowCounter() : new CsvRowCounter();
  for await (const piece of answer) {
    counter.add(piece);
    figures.rows = counter.rows;
    yield piece;
  }
  counter.finish();
  figures.rows = counter.rows;
}

/**
 * Compressed here and not by ClickHouse, though it can: an error within its answer would then be
 * inside the compressed bytes, and each of them had to be unpacked again to see it and count rows.
 */
async function* gzipped(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gzip = createGzip();
  const feeding = pipeline(Readable.from(pieces, { objectMode: false }), gzip);
  // Reported by reading, which the same error ends.
  feeding.catch(() => undefined);
  for await (const piece of gzip) yield piece as Buffer;
  await feeding;
}
