import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Records the processes of a stack. When the supervisor is killed, its services and databases keep
 * running and keep their ports; the next start stops them.
 */
export class ProcessRecord {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** Records this process as the supervisor. */
  static create(stateDir: string): ProcessRecord {
    const file = recordFile(stateDir);
    writeFileSync(file, line(process.pid));
    return new ProcessRecord(file);
  }

  add(pid: number): void {
    appendFileSync(this.#file, line(pid));
  }
}

const stopTimeoutMs = 10_000;

/** Stops the processes that a killed supervisor left. Does not touch a running stack. */
export async function stopLeftovers(stateDir: string): Promise<void> {
  const [supervisor, ...parts] = recorded(recordFile(stateDir));
  if (supervisor !== undefined && isAlive(supervisor)) return;
  const left = parts.filter(isAlive);
  for (const { pid } of left) process.kill(pid, 'SIGTERM');
  const deadlineMs = performance.now() + stopTimeoutMs;
  while (left.some(isAlive)) {
    if (performance.now() > deadlineMs) {
      for (const { pid } of left.filter(isAlive)) process.kill(pid, 'SIGKILL');
    }
    await sleep(20);
  }
}

function recordFile(stateDir: string): string {
  return join(stateDir, 'processes');
}

interface RecordedProcess {
  readonly pid: number;
  /** Distinguishes it from a later process with the same pid. */
  readonly startTime: string;
}

function recorded(file: string): RecordedProcess[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((one) => {
    const [pid, startTime = ''] = one.split(' ');
    return { pid: Number(pid), startTime };
  });
}

function line(pid: number): string {
  return `${pid} ${startTimeOf(pid)}\n`;
}

function isAlive({ pid, startTime }: RecordedProcess): boolean {
  return startTime !== '' && startTimeOf(pid) === startTime;
}

/** Field 22 of /proc/<pid>/stat; empty for a process that has ended. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program name in brackets, which may contain spaces: count from its end.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? '' : (rest[18] ?? '');
  } catch {
    return '';
  }
}
