import type { IncomingMessage } from 'node:http';

/**
 * Yields the chunks of a response with backpressure: `read()` reads from the connection only when
 * nothing is buffered. `socket.pause()` does not work: the response resumes its socket after every
 * chunk. When the connection breaks, the buffered chunks are still yielded; they contain ClickHouse's
 * exception. `for await` over the response would drop them.
 */
export async function* readResponse(response: IncomingMessage): AsyncGenerator<Buffer> {
  rejectEndByConnection(response);
  let end: { readonly error?: Error } | undefined;
  let wake: () => void = () => undefined;
  const onEnd = (error?: Error) => {
    end ??= error === undefined ? {} : { error };
    wake();
  };
  response.on('readable', () => wake());
  response.once('end', () => onEnd());
  response.on('error', (error) => onEnd(error));
  response.once('close', () => onEnd(response.complete ? undefined : new Error('aborted')));
  // The connection may have closed before these listeners were added.
  if (response.closed) onEnd(response.errored ?? new Error('aborted'));
  try {
    for (;;) {
      const chunk = response.read() as Buffer | null;
      if (chunk !== null) {
        yield chunk;
      } else if (end !== undefined) {
        if (end.error !== undefined) throw end.error;
        return;
      } else {
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    if (!response.complete) response.destroy();
  }
}

/**
 * With neither header, as in HTTP/1.0, the response ends with its connection, and one that was cut looks complete.
 * ClickHouse sends one of them; a proxy may remove it.
 */
function rejectEndByConnection(response: IncomingMessage): void {
  const { 'transfer-encoding': transferEncoding, 'content-length': contentLength } =
    response.headers;
  if (transferEncoding !== undefined || contentLength !== undefined) return;
  response.destroy();
  throw new Error(
    'the response has neither Transfer-Encoding nor Content-Length, so its end is unknown: a proxy between netpanel and ClickHouse must use HTTP/1.1',
  );
}
