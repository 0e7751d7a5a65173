import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** CPU time so far of this process and its descendants; on Linux including those that have ended. */
export function cpuSeconds(platform: NodeJS.Platform = process.platform): number {
  const stats = new Map(platform === 'linux' ? statsOfProc() : statsOfPs());
  return [...stats.keys()]
    .filter((pid) => isDescendant(pid, stats))
    .reduce((sum, pid) => sum + stats.get(pid)!.seconds, 0);
}

function statsOfProc(): [number, Stat][] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.flatMap((pid) => statOf(Number(pid)));
}

/** USER_HZ, which is 100 on every platform that Node supports. */
const ticksPerSecond = 100;

interface Stat {
  readonly parent: number;
  /** User and system time of the process and of its children that have ended. */
  readonly seconds: number;
}

function statOf(pid: number): [number, Stat][] {
  try {
    // The name of the process, in parentheses, may contain spaces.
    const [, fields = ''] = /\) \S (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
    const numbers = fields.split(' ').map(Number);
    const ticks = numbers.slice(10, 14).reduce((sum, number) => sum + number, 0);
    return [[pid, { parent: numbers[0]!, seconds: ticks / ticksPerSecond }]];
  } catch {
    // The process has ended.
    return [];
  }
}

/** `  71     1  1-02:03:04` of POSIX, `0:04.56` of macOS; without children that have ended. */
function statsOfPs(): [number, Stat][] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'time='], {
    encoding: 'utf8',
  });
  return [...table.matchAll(/^ *(\d+) +(\d+) +(?:(\d+)-)?([\d:.]+)$/gm)].map(
    ([, pid, parent, days = '0', time = '']) => {
      const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
      return [Number(pid), { parent: Number(parent), seconds: Number(days) * 86_400 + seconds }];
    },
  );
}

function isDescendant(pid: number, stats: ReadonlyMap<number, Stat>): boolean {
  for (let at: number | undefined = pid; at !== undefined; at = stats.get(at)?.parent) {
    if (at === process.pid) return true;
  }
  return false;
}
