import type { BucketRange } from '../request/selection.ts';
import { newline, wholeLines } from './whole-lines.ts';

const closingBrace = 0x7d;
// A quote within a value is escaped, so this text is never part of one.
const bucketStart = Buffer.from(',"dtime":"');
const quote = 0x22;

/**
 * The mark of a point: an object has the field only if it is true, a row always, because all rows have the same
 * fields.
 */
const marks = {
  object: { partial: Buffer.from(',"partial":true'), whole: undefined },
  row: { partial: Buffer.from(',"partial":true'), whole: Buffer.from(',"partial":false') },
};

/**
 * Marks the points of incomplete buckets. The mark depends on the request and on the clock, so stored answers do not
 * contain it.
 */
export async function* markPartial(
  chunks: AsyncIterable<Buffer>,
  whole: readonly BucketRange[],
  as: keyof typeof marks,
): AsyncGenerator<Buffer> {
  for await (const lines of wholeLines(chunks)) yield markedLines(lines, whole, as);
}

function markedLines(lines: Buffer, whole: readonly BucketRange[], as: keyof typeof marks): Buffer {
  const pieces: Buffer[] = [];
  let copied = 0;
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf(newline, start);
    const bucket = bucketOf(lines, start, end);
    const isWhole = whole.some((range) => bucket >= range.from && bucket < range.before);
    const mark = marks[as][isWhole ? 'whole' : 'partial'];
    // A row without a bucket is a total over buckets.
    if (bucket !== '' && mark !== undefined) {
      const brace = lines.lastIndexOf(closingBrace, end);
      pieces.push(lines.subarray(copied, brace), mark);
      copied = brace;
    }
    start = end + 1;
  }
  return pieces.length === 0 ? lines : Buffer.concat([...pieces, lines.subarray(copied)]);
}

/** Empty if the row has none. */
function bucketOf(lines: Buffer, start: number, end: number): string {
  const found = lines.indexOf(bucketStart, start);
  if (found < 0 || found > end) return '';
  const from = found + bucketStart.length;
  return lines.toString('latin1', from, lines.indexOf(quote, from));
}
