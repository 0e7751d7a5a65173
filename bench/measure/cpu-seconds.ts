import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalStack } from '../../test/support/local-stack.ts';
import { readOpsMetric } from './read-ops-metric.ts';

/** CPU time since the start. Other load on the machine changes it less than it changes elapsed time. */
interface CpuSeconds {
  readonly service: number;
  readonly postgres: number;
}

/** The CPU time of a service and of Postgres while `work` runs. */
export async function cpuSeconds(
  { stateDir }: LocalStack,
  opsUrl: string,
  work: () => Promise<unknown>,
): Promise<CpuSeconds> {
  const read = async () => ({
    service: await readOpsMetric(opsUrl, 'process_cpu_seconds_total'),
    postgres: postgresCpuSeconds(stateDir),
  });
  const before = await read();
  await work();
  const after = await read();
  return {
    service: after.service - before.service,
    postgres: after.postgres - before.postgres,
  };
}

/** Of the server process, of its processes, and of those that have ended. */
function postgresCpuSeconds(stateDir: string): number {
  const pid = readFileSync(join(stateDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0];
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processTimes(name));
  const ticks = running
    .filter((one) => one.pid === pid || one.parent === pid)
    .map((one) => one.own + (one.pid === pid ? one.ended : 0));
  return ticks.reduce((sum, ticksOfOne) => sum + ticksOfOne, 0) / ticksPerSecond;
}

/** USER_HZ is 100 on every architecture that netpanel supports. */
const ticksPerSecond = 100;

/** From /proc/<pid>/stat, whose second field, the name, may contain spaces. Empty if the process has ended. */
function processTimes(pid: string) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const sum = (first: number) => Number(fields[first]) + Number(fields[first + 1]);
    return [{ pid, parent: fields[1], own: sum(11), ended: sum(13) }];
  } catch {
    return [];
  }
}
