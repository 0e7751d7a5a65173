import { spawnSync } from 'node:child_process';

/** Whether a program is installed. */
export function hasProgram(name: string): boolean {
  return spawnSync('bash', ['-c', `command -v ${name}`]).status === 0;
}
