import { setTimeout as sleep } from 'node:timers/promises';
import { startClickHouse } from './start-clickhouse.ts';
import type { ClickHouseOptions, LocalClickHouse } from './start-clickhouse.ts';

/** A ClickHouse that is restarted with its data when its process ends unexpectedly. */
export interface SupervisedClickHouse {
  readonly url: string;
  readonly description: string;
  /** Resolves when it ended more than `maxRestarts` times in a minute. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const restartPauseMs = 200;
// A crash on start would repeat forever.
const maxRestarts = 5;
const restartWindowMs = 60_000;

export async function supervisedClickHouse(
  options: ClickHouseOptions,
  report: (line: string) => void,
): Promise<SupervisedClickHouse> {
  let server = await startClickHouse(options);
  let isStopping = false;
  const keepRunning = async () => {
    const restartsMs: number[] = [];
    for (;;) {
      const exit = await server.ended;
      if (isStopping) return;
      while (restartsMs[0] !== undefined && Date.now() - restartsMs[0] > restartWindowMs) {
        restartsMs.shift();
      }
      if (restartsMs.push(Date.now()) > maxRestarts) return;
      report(`ClickHouse ended (${exit}); restarting it`);
      const restarted = await restart(options, () => isStopping);
      if (restarted === undefined) return;
      server = restarted;
    }
  };
  const { url, description } = server;
  const ended = keepRunning();
  return {
    url,
    description,
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

async function restart(
  options: ClickHouseOptions,
  isStopping: () => boolean,
): Promise<LocalClickHouse | undefined> {
  for (let attempt = 1; attempt <= maxRestarts && !isStopping(); attempt++) {
    await sleep(restartPauseMs * attempt);
    try {
      return await startClickHouse(options);
    } catch (error) {
      if (attempt === maxRestarts) process.stderr.write(`${(error as Error).message}\n`);
    }
  }
  return undefined;
}
