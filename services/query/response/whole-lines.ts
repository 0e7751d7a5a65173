export const newline = 0x0a;
const openingBrace = 0x7b;

/**
 * ClickHouse's response in chunks of whole lines. Copies only lines that are split between chunks. Throws if the last
 * line is incomplete: every row ends with a line end, and line ends within values are escaped.
 */
export async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let unfinished: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(newline) + 1;
    if (end === 0) {
      if (chunk.length > 0) unfinished.push(chunk);
      continue;
    }
    const rest = unfinished.length === 0 ? 0 : chunk.indexOf(newline) + 1;
    if (rest > 0) yield Buffer.concat([...unfinished, chunk.subarray(0, rest)]);
    if (rest < end) yield chunk.subarray(rest, end);
    unfinished = end < chunk.length ? [chunk.subarray(end)] : [];
  }
  if (unfinished.length > 0) throw new Error('ClickHouse’s response ends within a row');
}

/** Throws if the line at this place is not a row. */
export function requireRow(lines: Buffer, start: number): void {
  if (lines[start] !== openingBrace)
    throw new Error('The response of ClickHouse is not a JSON row');
}
