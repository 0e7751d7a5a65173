import type { WholeBuckets } from './whole-buckets.ts';

const newline = 0x0a;
const closingBrace = 0x7d;
// A quote within a value is escaped, so this text is never part of one.
const bucketStart = Buffer.from(',"dtime":"');
const quote = 0x22;
const mark = Buffer.from(',"partial":true');

/**
 * Adds `"partial":true` to the rows of buckets that are not whole. It depends on the request and on the clock, so it
 * is not part of a stored answer.
 */
export async function* markPartial(
  chunks: AsyncIterable<Buffer>,
  whole: readonly WholeBuckets[],
): AsyncGenerator<Buffer> {
  let unfinished: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const lines = unfinished.length === 0 ? chunk : Buffer.concat([unfinished, chunk]);
    const end = lines.lastIndexOf(newline) + 1;
    unfinished = lines.subarray(end);
    if (end > 0) yield markedLines(lines.subarray(0, end), whole);
  }
  // frameRows rejects a row that is cut.
  if (unfinished.length > 0) yield unfinished;
}

function markedLines(lines: Buffer, whole: readonly WholeBuckets[]): Buffer {
  const pieces: Buffer[] = [];
  let copied = 0;
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf(newline, start);
    if (isPartial(lines, start, end, whole)) {
      const brace = lines.lastIndexOf(closingBrace, end);
      pieces.push(lines.subarray(copied, brace), mark);
      copied = brace;
    }
    start = end + 1;
  }
  return pieces.length === 0 ? lines : Buffer.concat([...pieces, lines.subarray(copied)]);
}

/** A row without a bucket is a total over buckets. */
function isPartial(
  lines: Buffer,
  start: number,
  end: number,
  whole: readonly WholeBuckets[],
): boolean {
  const found = lines.indexOf(bucketStart, start);
  if (found < 0 || found > end) return false;
  const from = found + bucketStart.length;
  const bucket = lines.toString('latin1', from, lines.indexOf(quote, from));
  return !whole.some((range) => bucket >= range.from && bucket < range.before);
}
