import { readdirSync, readFileSync } from 'node:fs';

/** CPU time so far of this process and its descendants, including those that have ended. */
export function cpuSeconds(): number {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const stats = new Map(processes.flatMap((pid) => statOf(Number(pid))));
  return [...stats.keys()]
    .filter((pid) => isDescendant(pid, stats))
    .reduce((sum, pid) => sum + stats.get(pid)!.ticks / ticksPerSecond, 0);
}

/** USER_HZ, which is 100 on every platform that Node supports. */
const ticksPerSecond = 100;

interface Stat {
  readonly parent: number;
  /** User and system time of the process and of its children that have ended. */
  readonly ticks: number;
}

function statOf(pid: number): [number, Stat][] {
  try {
    // The name of the process, in parentheses, may contain spaces.
    const [, fields = ''] = /\) \S (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
    const numbers = fields.split(' ').map(Number);
    const ticks = numbers.slice(10, 14).reduce((sum, number) => sum + number, 0);
    return [[pid, { parent: numbers[0]!, ticks }]];
  } catch {
    // The process has ended.
    return [];
  }
}

function isDescendant(pid: number, stats: ReadonlyMap<number, Stat>): boolean {
  for (let at: number | undefined = pid; at !== undefined; at = stats.get(at)?.parent) {
    if (at === process.pid) return true;
  }
  return false;
}
