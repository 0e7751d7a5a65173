import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pid of the supervisor of `make up`, if it runs. */
export function runningSupervisor(stateDir: string): number | undefined {
  let pid: number;
  try {
    pid = Number(readFileSync(pidFile(stateDir), 'utf8'));
    // After a reboot another program may have the same pid.
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('supervisor.js')) return undefined;
  } catch {
    return undefined;
  }
  return pid;
}

export function recordSupervisor(stateDir: string, pid: number): void {
  writeFileSync(pidFile(stateDir), `${pid}\n`);
}

export function forgetSupervisor(stateDir: string): void {
  rmSync(pidFile(stateDir), { force: true });
}

function pidFile(stateDir: string): string {
  return join(stateDir, 'supervisor.pid');
}
