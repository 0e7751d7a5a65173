import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { EnvFile } from '../../services/shared/config/env-file.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { stopChild } from './stop-child.ts';
import type { StackOptions } from './stack-options.ts';
import type { SupervisorMessage } from './supervisor.ts';

export interface Supervised {
  readonly pid: number;
  /** The content of `.local/env`. */
  readonly env: EnvFile;
  /** Version and engine of ClickHouse. */
  readonly clickhouse: string;
  /** Resolves when the stack has ended, with the reason of a failure. */
  readonly ended: Promise<string | undefined>;
  /** Stops everything and waits for its end. */
  stop(): Promise<void>;
  /** Keeps the stack running after this process ends. */
  detach(): void;
}

/** Starts a stack in a new process, which ends with this one unless detached. */
export async function spawnSupervisor(
  options: StackOptions,
  onProgress: (line: string) => void,
): Promise<Supervised> {
  const child = spawnDetached(options);
  let failure: string | undefined;
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('close', () => resolve(failure));
  });
  const stop = () => stopChild(child);
  const stopOnSignal = () => void stop();
  process.once('SIGINT', stopOnSignal);
  process.once('SIGTERM', stopOnSignal);

  const { env, clickhouse } = await new Promise<Pick<Supervised, 'env' | 'clickhouse'>>(
    (resolve, reject) => {
      child.on('message', (message: SupervisorMessage) => {
        if ('progress' in message) onProgress(message.progress);
        else if ('ready' in message) resolve(message.ready);
        else failure = message.failed;
      });
      void ended.then(() => reject(new Error(failure ?? 'The local stack was stopped')));
    },
  );
  return {
    pid: child.pid ?? 0,
    env,
    clickhouse,
    ended,
    stop,
    detach: () => {
      child.send('detach', () => {
        child.disconnect();
        child.unref();
      });
    },
  };
}

function spawnDetached(options: StackOptions): ChildProcess {
  const logDir = join(options.stateDir, 'log');
  mkdirSync(logDir, { recursive: true });
  const log = openSync(join(logDir, 'supervisor.log'), 'a');
  try {
    const main = join(repositoryRoot, 'dist/deploy/local/supervisor.js');
    return spawn(process.execPath, ['--enable-source-maps', main, JSON.stringify(options)], {
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
  } finally {
    closeSync(log);
  }
}
