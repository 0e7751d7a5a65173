import { ClickHouseError, parseError } from '@clickhouse/client';

/**
 * Passes the bytes of an answer on and throws where ClickHouse broke it off. After the headers it
 * can only report an error within the data:
 *
 *     …,"metricValue":3}\n\r\n__exception__\r\n<tag>\r\nCode: 396. DB::Exception: …
 *
 * The tag is random and in the header X-ClickHouse-Exception-Tag, so no value can look like it. As
 * many bytes as the marker has are held back, since it may come in pieces. Nothing is copied but
 * around the seams: half a gigabyte copied here is a second of collecting garbage.
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
      const seam = Buffer.concat([held, chunk.subarray(0, overlap)]);
      const isWithinSeam = chunk.length <= overlap;
      const around = isWithinSeam || seam.includes(marker) ? Buffer.concat([held, chunk]) : chunk;
      const markerAt = around.indexOf(marker);
      if (markerAt >= 0) {
        // What came before it is dropped: an answer not begun yet can still become a proper error.
        report = [around.subarray(markerAt + marker.length)];
        continue;
      }
      if (around === chunk && held.length > 0) yield held;
      const heldFrom = Math.max(0, around.length - overlap);
      if (heldFrom > 0) yield around.subarray(0, heldFrom);
      held = around.subarray(heldFrom);
    }
  } catch (error) {
    // After its report ClickHouse breaks the connection on purpose; the report says more.
    if (report === undefined) throw error;
  }
  if (report !== undefined) throw exceptionOf(Buffer.concat(report).toString('utf8'));
  if (held.length > 0) yield held;
}

function exceptionOf(report: string): Error {
  const error = parseError(report.trim());
  return error instanceof ClickHouseError
    ? error
    : new Error('ClickHouse broke its answer off', { cause: error });
}
