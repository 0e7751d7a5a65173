import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { serviceDatabaseUrl } from '../../deploy/local/service-database-url.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { freePorts } from './free-ports.ts';
import { localStack } from './local-stack.ts';
import { waitUntil } from './wait-until.ts';

/** A service in a child process, to be killed, limited or observed. */
export interface ServiceProcess {
  readonly port: number;
  readonly url: string;
  readonly opsUrl: string;
  /** Standard output and standard error so far. */
  log(): string;
  /** The JSON log records. */
  logLines(): readonly Readonly<Record<string, unknown>>[];
  /** Resolves with the exit code, or null if the signal killed the process. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

interface ProcessOptions {
  /** Maximum file size that the process may write; simulates a full disk. */
  readonly fileKiB?: number;
  /** The path on the ops port that must return 200 before the start counts as complete. */
  readonly startedPath?: '/readyz' | '/healthz';
  /** The folder with dist/; default: this checkout. */
  readonly root?: string;
}

export async function startServiceProcess(
  name: 'query' | 'metadata' | 'ingest',
  settings: Readonly<Record<string, string>>,
  options: ProcessOptions = {},
): Promise<ServiceProcess> {
  const { env } = await localStack();
  const [port, opsPort] = (await freePorts(2)) as [number, number];
  return spawnService(name, {
    env: {
      PATH: process.env.PATH,
      ...env,
      ...portsOf(name, port, opsPort),
      ...settings,
      DATABASE_URL: serviceDatabaseUrl(name, settings.DATABASE_URL ?? env.DATABASE_URL ?? ''),
    },
    port,
    opsPort,
    options,
  });
}

interface Spawned {
  readonly env: NodeJS.ProcessEnv;
  readonly port: number;
  readonly opsPort: number;
  readonly options?: ProcessOptions;
}

/** The same with exactly this environment and these ports. */
export async function spawnService(
  name: 'query' | 'metadata' | 'ingest',
  {
    env,
    port,
    opsPort,
    options: { fileKiB, startedPath = '/readyz', root = repositoryRoot } = {},
  }: Spawned,
): Promise<ServiceProcess> {
  const main = join(root, `dist/services/${name}/main.js`);
  const limit = fileKiB === undefined ? '' : `ulimit -f ${fileKiB}; `;
  const child = spawn('bash', ['-c', `${limit}exec "$0" "$1"`, process.execPath, main], {
    env: { ...portsOf(name, port, opsPort), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  }
  const ended = once(child, 'close') as Promise<[number | null]>;
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  const isStarted = async () =>
    (await fetch(`${opsUrl}${startedPath}`).catch(() => undefined))?.ok === true;
  try {
    // A process starts slowly on a busy machine.
    await waitUntil(isStarted);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const scheme = env.TLS_CERT_FILE === undefined ? 'http' : 'https';
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    opsUrl,
    log: () => log,
    logLines: () =>
      log
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    kill: async (signal) => {
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

function portsOf(name: string, port: number, opsPort: number): Record<string, string> {
  const prefix = name.toUpperCase();
  return { [`${prefix}_PORT`]: String(port), [`${prefix}_OPS_PORT`]: String(opsPort) };
}
