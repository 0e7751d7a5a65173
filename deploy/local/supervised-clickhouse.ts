import { setTimeout as sleep } from 'node:timers/promises';
import { startClickHouse } from './start-clickhouse.ts';
import type { ClickHouseOptions, LocalClickHouse } from './start-clickhouse.ts';

/** A ClickHouse that is started again when its process ends unasked, on the data that it left. */
export interface SupervisedClickHouse {
  readonly url: string;
  readonly description: string;
  /** Resolves when it ended too often to be started again. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const restartPauseMs = 200;
// A crash on start would repeat for ever.
const maxRestarts = 5;
const forgetAfterMs = 60_000;

export async function supervisedClickHouse(
  options: ClickHouseOptions,
  report: (line: string) => void,
): Promise<SupervisedClickHouse> {
  let server = await startClickHouse(options);
  let isStopping = false;
  const keepRunning = async () => {
    const restartsMs: number[] = [];
    for (;;) {
      const how = await server.ended;
      if (isStopping) return;
      while (restartsMs[0] !== undefined && Date.now() - restartsMs[0] > forgetAfterMs) {
        restartsMs.shift();
      }
      if (restartsMs.push(Date.now()) > maxRestarts) return;
      report(`ClickHouse ended (${how}) and is started again`);
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
      // One that was being started meanwhile.
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
