import { execFile } from 'node:child_process';
import type { ProcessResult } from './run-built.ts';

/** Runs a program of the PATH and waits for its exit. A program that cannot be started has the code -1. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ProcessResult> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { ...options, env: { PATH, HOME, ...options.env }, maxBuffer: 64 << 20 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, stdout, stderr: stderr || (error?.message ?? '') });
      },
    );
  });
}
