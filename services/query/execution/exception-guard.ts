import { ClickHouseError, parseError } from '@clickhouse/client';

/**
 * Passes a response through and throws when ClickHouse reports an exception in it. After the headers,
 * ClickHouse can report an error only within the data:
 *
 *     …,"metricValue":3}\n\r\n__exception__\r\n<tag>\r\nCode: 396. DB::Exception: …
 *
 * The tag is random and sent in the header X-ClickHouse-Exception-Tag, so no value can contain it.
 * The last bytes of a chunk, as many as the marker is long, are held back because the marker may be
 * split between chunks. Only the bytes around the chunk boundaries are copied: copying half a gigabyte
 * costs a second of garbage collection.
 */
export async function* exceptionGuard(
  chunks: AsyncIterable<Buffer>,
  exceptionTag: string | undefined,
): AsyncGenerator<Buffer> {
  const marker = Buffer.from(`\r\n__exception__\r\n${exceptionTag ?? ''}`);
  const overlap = marker.length - 1;
  let held: Buffer = Buffer.alloc(0);
  let report: Buffer[] | undefined;
  try {
    for await (const chunk of chunks) {
      if (report !== undefined) {
        report.push(chunk);
        continue;
      }
      const boundary = Buffer.concat([held, chunk.subarray(0, overlap)]);
      const isShort = chunk.length <= overlap;
      const scanned = isShort || boundary.includes(marker) ? Buffer.concat([held, chunk]) : chunk;
      const markerAt = scanned.indexOf(marker);
      if (markerAt >= 0) {
        // The bytes before the marker are dropped: if none were sent yet, the client gets a status.
        report = [scanned.subarray(markerAt + marker.length)];
        continue;
      }
      if (scanned === chunk && held.length > 0) yield held;
      const heldFrom = Math.max(0, scanned.length - overlap);
      if (heldFrom > 0) yield scanned.subarray(0, heldFrom);
      held = scanned.subarray(heldFrom);
    }
  } catch (error) {
    // ClickHouse closes the connection after its report, which is the more useful error.
    if (report === undefined) throw error;
  }
  if (report !== undefined) throw exceptionOf(Buffer.concat(report).toString('utf8'));
  if (held.length > 0) yield held;
}

function exceptionOf(report: string): Error {
  const error = parseError(report.trim());
  return error instanceof ClickHouseError
    ? error
    : new Error('ClickHouse reported an exception within its response', { cause: error });
}
