import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The supervisor that `make up` left running, if it still runs. */
export function runningSupervisor(stateDir: string): number | undefined {
  let pid: number;
  try {
    pid = Number(readFileSync(pidFile(stateDir), 'utf8'));
    // A number can be given to another program after a restart of the machine.
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('supervisor.js')) return undefined;
  } catch {
    return undefined;
  }
  return pid;
}

export function rememberSupervisor(stateDir: string, pid: number): void {
  writeFileSync(pidFile(stateDir), `${pid}\n`);
}

export function forgetSupervisor(stateDir: string): void {
  rmSync(pidFile(stateDir), { force: true });
}

function pidFile(stateDir: string): string {
  return join(stateDir, 'supervisor.pid');
}
