import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { hasEnded, stopChild } from './stop-child.ts';

export interface RunningService {
  readonly pid: number;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

interface ServiceOptions {
  readonly name: 'query' | 'metadata' | 'ingest';
  readonly env: NodeJS.ProcessEnv;
  readonly opsPort: number;
  readonly logFile: string;
  /** Restarts the service when one of its modules changes, and accepts a debugger on this port. */
  readonly watch?: { readonly inspectPort: number } | undefined;
  readonly readyTimeoutMs?: number;
}

// A busy machine can need most of a minute. A service that ends is noticed at once.
const defaultReadyTimeoutMs = 120_000;

/** Starts one service as its own process, as in production, and waits until it is ready. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { name, env, opsPort, logFile, watch, readyTimeoutMs = defaultReadyTimeoutMs } = options;
  const log = openSync(logFile, 'a');
  const main = join(repositoryRoot, 'dist', 'services', name, 'main.js');
  const watchOptions =
    watch === undefined
      ? []
      : ['--watch', '--watch-preserve-output', `--inspect=127.0.0.1:${watch.inspectPort}`];
  const child = spawn(process.execPath, ['--enable-source-maps', ...watchOptions, main], {
    env,
    stdio: ['ignore', log, log],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const deadlineMs = performance.now() + readyTimeoutMs;
  while (!(await isReady(opsPort))) {
    if (hasEnded(child)) throw new Error(`The ${name} service exited at startup: see ${logFile}`);
    if (performance.now() > deadlineMs) {
      await stopChild(child);
      throw new Error(
        `The ${name} service is not ready after ${readyTimeoutMs} ms: see ${logFile}`,
      );
    }
    // Each request makes the service query its stores.
    await sleep(100);
  }
  return { pid: child.pid ?? 0, ended, stop: () => stopChild(child) };
}

async function isReady(opsPort: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
    return response.ok;
  } catch {
    return false;
  }
}
