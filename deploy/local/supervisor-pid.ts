import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, processLine, recordedProcesses } from './running-process.ts';

/** The pid of the supervisor of `make up`, if it runs. */
export function runningSupervisor(stateDir: string): number | undefined {
  const [supervisor] = recordedProcesses(pidFile(stateDir));
  return supervisor !== undefined && isRunning(supervisor) ? supervisor.pid : undefined;
}

export function recordSupervisor(stateDir: string, pid: number): void {
  writeFileSync(pidFile(stateDir), processLine(pid));
}

export function forgetSupervisor(stateDir: string): void {
  rmSync(pidFile(stateDir), { force: true });
}

function pidFile(stateDir: string): string {
  return join(stateDir, 'supervisor.pid');
}
