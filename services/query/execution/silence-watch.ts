interface Options {
  /** Whether the server is still working on the query. May throw. */
  readonly isRunning: () => Promise<boolean>;
  /** Called once. */
  readonly onLost: () => void;
  readonly silenceMs: number;
}

/** Watches a connection on which a response is awaited. */
export interface SilenceWatch {
  /** Passes the chunks of the response through. The time between them that the reader needs does not count. */
  over(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
  stop(): void;
}

/**
 * Detects a connection that was lost without being closed, by a firewall or a crashed host. ClickHouse also sends nothing
 * while it sorts, so after some silence we ask the server, over another connection, whether it still runs the query.
 * The connection is lost if the server does not respond, or says no twice, with a pause for a last chunk to arrive.
 */
export function silenceWatch({ isRunning, onLost, silenceMs }: Options): SilenceWatch {
  let timer: NodeJS.Timeout | undefined;
  // Of the current silence only.
  let silence: object | undefined;

  function listen(): void {
    const current = {};
    silence = current;
    clearTimeout(timer);
    timer = setTimeout(() => void ask(current, 1), silenceMs).unref();
  }

  function ignore(): void {
    silence = undefined;
    clearTimeout(timer);
  }

  async function ask(current: object, attempt: number): Promise<void> {
    const runs = await isRunning().catch(() => false);
    if (silence !== current) return;
    if (runs) listen();
    else if (attempt < attempts)
      timer = setTimeout(() => void ask(current, attempt + 1), silenceMs / 2).unref();
    else {
      ignore();
      onLost();
    }
  }

  listen();
  return {
    over: async function* (chunks) {
      listen();
      for await (const chunk of chunks) {
        ignore();
        yield chunk;
        listen();
      }
      ignore();
    },
    stop: ignore,
  };
}

const attempts = 2;
