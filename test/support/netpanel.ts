import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import type { LocalStack } from './local-stack.ts';
import { type ProcessResult, runBuilt } from './run-built.ts';

const program = 'services/cli/netpanel.js';

/** Runs `netpanel` with these arguments against the test stack and waits for its exit. */
export function netpanel(stack: LocalStack, ...args: readonly string[]): Promise<ProcessResult> {
  return runBuilt(program, stack.env, args);
}

/** Returns the standard output. Throws the standard error if the exit code is not 0. */
export async function netpanelOk(stack: LocalStack, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await netpanel(stack, ...args);
  if (code !== 0) throw new Error(`netpanel ${args.join(' ')} exited with ${code}: ${stderr}`);
  return stdout;
}

/** Starts `netpanel` as a child process that a test can signal or write to. */
export function spawnNetpanel(stack: Pick<LocalStack, 'env'>, ...args: readonly string[]) {
  return spawn(process.execPath, [join(repositoryRoot, 'dist', program), ...args], {
    env: { PATH: process.env.PATH, ...stack.env },
  });
}
