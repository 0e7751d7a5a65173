import { setTimeout as sleep } from 'node:timers/promises';

interface Engine {
  /** Resolves when the process has ended, with `SIGKILL` or `exit code 1`. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** A database server that is restarted with its data when its process ends unexpectedly. */
export interface SupervisedEngine<E extends Engine> {
  /** The server of the first start. */
  readonly first: E;
  /** Resolves when it ended more than `maxRestarts` times in a minute. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const restartPauseMs = 200;
// A crash on start would repeat forever.
const maxRestarts = 5;
const restartWindowMs = 60_000;

export async function supervisedEngine<E extends Engine>(
  name: string,
  start: () => Promise<E>,
  report: (line: string) => void,
): Promise<SupervisedEngine<E>> {
  const first = await start();
  let server = first;
  let isStopping = false;
  const keepRunning = async () => {
    const restartsMs: number[] = [];
    for (;;) {
      const exit = await server.ended;
      if (isStopping) return;
      while (restartsMs[0] !== undefined && performance.now() - restartsMs[0] > restartWindowMs) {
        restartsMs.shift();
      }
      if (restartsMs.push(performance.now()) > maxRestarts) return;
      report(`${name} exited (${exit}); restarting it`);
      const restarted = await restart(start, () => isStopping);
      if (restarted === undefined) return;
      server = restarted;
    }
  };
  const ended = keepRunning();
  return {
    first,
    ended,
    stop: async () => {
      isStopping = true;
      await server.stop();
      await ended;
      // A restart may have finished meanwhile.
      await server.stop();
    },
  };
}

async function restart<E>(
  start: () => Promise<E>,
  isStopping: () => boolean,
): Promise<E | undefined> {
  for (let attempt = 1; attempt <= maxRestarts && !isStopping(); attempt++) {
    await sleep(restartPauseMs * attempt);
    try {
      return await start();
    } catch (error) {
      if (attempt === maxRestarts) process.stderr.write(`${(error as Error).message}\n`);
    }
  }
  return undefined;
}
