import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { freePort } from '../support/free-port.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import type { ServiceName } from './contract.ts';

/** A service whose event loop is measured. */
export interface ProbedService extends ServiceProcess {
  /** The longest time for which it was blocked since the last call, as CPU time of the main thread. */
  longestBlockMs(): Promise<number>;
  /** The CPU time of a fixed computation now. It grows when other processes use the caches and the core. */
  referenceMs(): Promise<number>;
}

export async function startProbedService(name: ServiceName): Promise<ProbedService> {
  const port = await freePort();
  const probe = join(repositoryRoot, 'dist/test/security/event-loop-probe.js');
  const service = await startServiceProcess(name, {
    NODE_OPTIONS: `--import=${probe}`,
    PROBE_PORT: String(port),
  });
  const measured = async (path: string) =>
    Number(await (await fetch(`http://127.0.0.1:${port}${path}`)).text());
  return {
    ...service,
    longestBlockMs: () => measured('/longest'),
    referenceMs: () => measured('/reference'),
  };
}
