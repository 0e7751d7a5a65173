import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, processLine, recordedProcesses } from './running-process.ts';

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
    writeFileSync(file, processLine(process.pid));
    return new ProcessRecord(file);
  }

  add(pid: number): void {
    appendFileSync(this.#file, processLine(pid));
  }
}

const stopTimeoutMs = 10_000;

/** Stops the processes that a killed supervisor left. Does not touch a running stack. */
export async function stopLeftovers(stateDir: string): Promise<void> {
  const [supervisor, ...parts] = recordedProcesses(recordFile(stateDir));
  if (supervisor !== undefined && isRunning(supervisor)) return;
  const left = parts.filter(isRunning);
  for (const { pid } of left) process.kill(pid, 'SIGTERM');
  const deadlineMs = performance.now() + stopTimeoutMs;
  while (left.some(isRunning)) {
    if (performance.now() > deadlineMs) {
      for (const { pid } of left.filter(isRunning)) process.kill(pid, 'SIGKILL');
    }
    await sleep(20);
  }
}

function recordFile(stateDir: string): string {
  return join(stateDir, 'processes');
}
