import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

export interface ProcessResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a file of dist/ with only this environment and waits for its exit. */
export function runBuilt(
  path: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<ProcessResult> {
  const child = spawn(process.execPath, [join(repositoryRoot, 'dist', path), ...args], {
    env: { PATH: process.env.PATH, ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
