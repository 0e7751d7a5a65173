import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { installClickHouse } from './install-clickhouse.ts';
import { stopChild } from './stop-child.ts';

export interface LocalClickHouse {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts the local ClickHouse server as a child process, installing its package first if need be.
 * Resolves when it answers queries; the child ends with this process, however that ends.
 */
export async function startClickHouse(options: {
  readonly port: number;
  /** Where the server's output goes; dropped when not given. */
  readonly logFile?: string;
  /** Keeps the tables over a restart or a kill; without it they are gone then. */
  readonly journalFile?: string;
}): Promise<LocalClickHouse> {
  const folder = join(repositoryRoot, 'deploy/local/clickhouse');
  await installClickHouse(folder);
  const child = spawnServer(folder, options);
  await readiness(child);
  return {
    url: `http://127.0.0.1:${options.port}`,
    pid: child.pid ?? 0,
    stop: () => stopChild(child),
  };
}

function spawnServer(
  folder: string,
  { port, logFile, journalFile }: Parameters<typeof startClickHouse>[0],
): ChildProcess {
  const log = logFile === undefined ? 'ignore' : openSync(logFile, 'a');
  try {
    const journal = journalFile === undefined ? [] : ['--journal', journalFile];
    const words = [join(folder, 'server.ts'), '--port', String(port), ...journal];
    return spawn(nodeFor(folder), words, {
      stdio: ['ignore', log, log, 'ipc'],
    });
  } finally {
    if (log !== 'ignore') closeSync(log);
  }
}

// The engine needs 64-bit WebAssembly memory, which Node has from 24 on.
function nodeFor(folder: string): string {
  const isRecent = Number(process.versions.node.split('.')[0]) >= 24;
  return isRecent
    ? process.execPath
    : join(folder, `node_modules/node-linux-${process.arch}/bin/node`);
}

function readiness(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`ClickHouse did not start: ${reason}`));
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code, signal) => fail(`its process ended with ${signal ?? code ?? '?'}`));
    child.once('message', (message) => {
      const { failed } = message as { failed?: string };
      if (failed === undefined) resolve();
      else fail(failed);
    });
  });
}
