/** The text of a stream; or, if it is longer than `maxBytes`, a stream of all of it. */
export async function readUpTo(
  maxBytes: number,
  chunks: AsyncGenerator<Buffer>,
): Promise<string | AsyncGenerator<Buffer>> {
  const read: Buffer[] = [];
  let bytes = 0;
  while (bytes <= maxBytes) {
    const next = await chunks.next();
    if (next.done === true) return Buffer.concat(read).toString();
    bytes += next.value.length;
    read.push(next.value);
  }
  return withRest(read, chunks);
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
