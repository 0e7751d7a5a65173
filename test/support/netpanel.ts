import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import type { LocalStack } from './local-stack.ts';
import { type Finished, runBuilt } from './run-built.ts';

const program = 'services/cli/netpanel.js';

/** `netpanel` with the words given, against the test stack, to its end. */
export function netpanel(stack: LocalStack, ...args: readonly string[]): Promise<Finished> {
  return runBuilt(program, stack.env, args);
}

/** The same for what must go well: returns what it printed, or throws what it complained of. */
export async function netpanelOk(stack: LocalStack, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await netpanel(stack, ...args);
  if (code !== 0) throw new Error(`netpanel ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/** A run that a test can end half-way or talk to. */
export function spawnNetpanel(stack: Pick<LocalStack, 'env'>, ...args: readonly string[]) {
  return spawn(process.execPath, [join(repositoryRoot, 'dist', program), ...args], {
    env: { PATH: process.env.PATH, ...stack.env },
  });
}
