import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Which processes a stack has started. When its supervisor is killed, its services and databases live on
 * and keep their ports; the next start ends them.
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

const endTimeoutMs = 10_000;

/** Ends what a killed supervisor left running. A stack that is running is left alone. */
export async function endLeftovers(stateDir: string): Promise<void> {
  const [supervisor, ...parts] = recorded(recordFile(stateDir));
  if (supervisor !== undefined && isAlive(supervisor)) return;
  const left = parts.filter(isAlive);
  for (const { pid } of left) process.kill(pid, 'SIGTERM');
  const deadlineMs = Date.now() + endTimeoutMs;
  while (left.some(isAlive)) {
    if (Date.now() > deadlineMs) {
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
  /** Tells it from a later process that was given the same number. */
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
    // The second field is the program's name in brackets, which may hold blanks: count from behind it.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? '' : (rest[18] ?? '');
  } catch {
    return '';
  }
}
