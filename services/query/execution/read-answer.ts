import type { IncomingMessage } from 'node:http';

/** What may have come and not been taken yet, before the connection has to wait. */
const maxWaitingBytes = 1024 * 1024;

/**
 * The pieces of an answer as they come, no faster than they are taken. When the connection breaks,
 * what has come before is still given out: reading the stream itself would drop it, and with it
 * ClickHouse's report of why it broke the connection, whenever the reader is slower than ClickHouse.
 */
export async function* readAnswer(answer: IncomingMessage): AsyncGenerator<Buffer> {
  // Kept, since the answer lets go of it at its end.
  const { socket } = answer;
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let end: { readonly error?: Error } | undefined;
  let wake: () => void = () => undefined;
  const over = (error?: Error) => {
    end ??= error === undefined ? {} : { error };
    wake();
  };
  answer.on('data', (piece: Buffer) => {
    waiting.push(piece);
    waitingBytes += piece.length;
    // The connection, not the answer: one that waits would go on to notice the end, and drop the rest.
    if (waitingBytes >= maxWaitingBytes) socket.pause();
    wake();
  });
  answer.once('end', () => {
    // The connection goes on to serve others.
    socket.resume();
    over();
  });
  answer.on('error', (error) => over(error));
  answer.once('close', () => over(answer.complete ? undefined : new Error('aborted')));
  // Broken before anybody listened.
  if (answer.closed) over(answer.errored ?? new Error('aborted'));
  try {
    for (;;) {
      const piece = waiting.shift();
      if (piece !== undefined) {
        waitingBytes -= piece.length;
        yield piece;
      } else if (end !== undefined) {
        if (end.error !== undefined) throw end.error;
        return;
      } else {
        socket.resume();
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    if (!answer.complete) answer.destroy();
  }
}
