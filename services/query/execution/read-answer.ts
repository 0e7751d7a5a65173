import type { IncomingMessage } from 'node:http';

/**
 * The pieces of a response, no faster than they are taken: `read()` asks the connection for more only
 * when nothing is buffered. `socket.pause()` would not hold: the response resumes its socket after
 * every piece. When the connection breaks, what arrived before is still given out, and with it
 * ClickHouse's report of why it broke the connection; `for await` over the response would drop it.
 */
export async function* readAnswer(answer: IncomingMessage): AsyncGenerator<Buffer> {
  let end: { readonly error?: Error } | undefined;
  let wake: () => void = () => undefined;
  const over = (error?: Error) => {
    end ??= error === undefined ? {} : { error };
    wake();
  };
  answer.on('readable', () => wake());
  answer.once('end', () => over());
  answer.on('error', (error) => over(error));
  answer.once('close', () => over(answer.complete ? undefined : new Error('aborted')));
  // Broken before these listeners were added.
  if (answer.closed) over(answer.errored ?? new Error('aborted'));
  try {
    for (;;) {
      const piece = answer.read() as Buffer | null;
      if (piece !== null) {
        yield piece;
      } else if (end !== undefined) {
        if (end.error !== undefined) throw end.error;
        return;
      } else {
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    if (!answer.complete) answer.destroy();
  }
}
