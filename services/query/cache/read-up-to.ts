/** A stream that is longer than what may be read into memory. */
export interface LongStream {
  /** All of it. */
  readonly chunks: AsyncGenerator<Buffer>;
  /** Ends its source, if `chunks` will not be read. */
  readonly cancel: () => Promise<unknown>;
}

/** The text of a stream; or, if it is longer than `maxBytes`, a stream of all of it. */
export async function readUpTo(
  maxBytes: number,
  source: AsyncGenerator<Buffer>,
): Promise<string | LongStream> {
  const read: Buffer[] = [];
  let bytes = 0;
  while (bytes <= maxBytes) {
    const next = await source.next();
    if (next.done === true) return Buffer.concat(read).toString();
    bytes += next.value.length;
    read.push(next.value);
  }
  return { chunks: withRest(read, source), cancel: () => source.return(undefined) };
}

async function* withRest(
  read: readonly Buffer[],
  rest: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  try {
    yield* read;
    yield* rest;
  } finally {
    // Ends the query if the stream is not read to its end.
    await rest.return(undefined);
  }
}
