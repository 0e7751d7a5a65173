import { ClickHouseError, parseError } from '@clickhouse/client';

/** Passes a response through and throws when ClickHouse reports an exception in it, after its headers. */
export function exceptionGuard(
  chunks: AsyncIterable<Buffer>,
  exceptionTag: string | undefined,
): AsyncGenerator<Buffer> {
  return exceptionTag === undefined ? untagged(chunks) : tagged(chunks, exceptionTag);
}

/**
 * Before 25.11, ClickHouse reports an exception without a tag, and closes the connection without the last chunk of
 * HTTP:
 *
 *     …,"metricValue":3}\n__exception__\r\nCode: 396. DB::Exception: …
 *
 * A value may contain that. So a response that ends properly is complete, whatever is in it, and the report is only
 * read from the last bytes of one that breaks off.
 */
async function* untagged(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const held: Buffer[] = [];
  let heldBytes = 0;
  try {
    for await (const chunk of chunks) {
      held.push(chunk);
      heldBytes += chunk.length;
      for (let [first] = held; first && heldBytes - first.length >= reportBytes; [first] = held) {
        held.shift();
        heldBytes -= first.length;
        yield first;
      }
    }
  } catch (error) {
    const end = Buffer.concat(held);
    const markerAt = end.lastIndexOf(untaggedMarker);
    if (markerAt < 0) throw error;
    throw exceptionOf(end.subarray(markerAt + untaggedMarker.length).toString('utf8'));
  }
  yield* held;
}

const untaggedMarker = '__exception__\r\n';
/** ClickHouse's reports have up to 16 KiB. */
const reportBytes = 32 * 1024;

/**
 * From 25.11 on the report has a tag:
 *
 *     …,"metricValue":3}\n\r\n__exception__\r\n<tag>\r\nCode: 396. DB::Exception: …
 *
 * The tag is random and sent in the header X-ClickHouse-Exception-Tag, so no value can contain it.
 * The last bytes of a chunk, as many as the marker is long, are held back because the marker may be
 * split between chunks. Only the bytes around the chunk boundaries are copied: copying half a gigabyte
 * costs a second of garbage collection.
 */
async function* tagged(
  chunks: AsyncIterable<Buffer>,
  exceptionTag: string,
): AsyncGenerator<Buffer> {
  const marker = Buffer.from(`\r\n__exception__\r\n${exceptionTag}`);
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
