import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from '../../deploy/local/start-service.ts';
import { freePorts } from './free-ports.ts';
import { localStack } from './local-stack.ts';

/** A service in a process of its own, over the engines of the local stack unless told otherwise. */
export interface ServiceProcess {
  readonly url: string;
  readonly opsUrl: string;
  /** Every line it has logged until now. */
  log(): readonly Readonly<Record<string, unknown>>[];
  stop(): Promise<void>;
}

export async function startServiceProcess(
  name: 'query' | 'metadata',
  settings: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const { env, stateDir } = await localStack();
  const [port, opsPort] = (await freePorts(2)) as [number, number];
  const logFile = join(stateDir, `${name}-${port}.log`);
  const service = await startService({
    name,
    env: {
      PATH: process.env.PATH,
      ...env,
      [`${name.toUpperCase()}_PORT`]: String(port),
      [`${name.toUpperCase()}_OPS_PORT`]: String(opsPort),
      ...settings,
    },
    opsPort,
    logFile,
  });
  return {
    url: `http://127.0.0.1:${port}`,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    log: () =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    stop: () => service.stop(),
  };
}
