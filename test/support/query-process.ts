import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { freePorts } from './free-ports.ts';
import { localStack } from './local-stack.ts';
import { until } from './until.ts';

/** A query service in a process of its own, to be killed, starved or watched. */
export interface QueryProcess {
  readonly url: string;
  readonly opsUrl: string;
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

interface Limits {
  /** Largest file the process may write, as if the disk were full then. */
  readonly fileKiB?: number;
}

export async function startQueryProcess(
  settings: Readonly<Record<string, string>>,
  { fileKiB }: Limits = {},
): Promise<QueryProcess> {
  const { env } = await localStack();
  const [port, opsPort] = (await freePorts(2)) as [number, number];
  const main = join(repositoryRoot, 'dist/services/query/main.js');
  const limit = fileKiB === undefined ? '' : `ulimit -f ${fileKiB}; `;
  const child = spawn('bash', ['-c', `${limit}exec "$0" "$1"`, process.execPath, main], {
    env: {
      PATH: process.env.PATH,
      ...env,
      LOG_LEVEL: 'error',
      QUERY_PORT: String(port),
      QUERY_OPS_PORT: String(opsPort),
      ...settings,
    },
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  await until(async () => (await fetch(`${opsUrl}/readyz`).catch(() => undefined))?.ok === true);
  return {
    url: `http://127.0.0.1:${port}`,
    opsUrl,
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}
