import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { commands } from '../../services/cli/commands.ts';
import { runCommandLine } from '../../services/cli/command-line.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import type { LocalStack } from './local-stack.ts';
import type { ProcessResult } from './run-built.ts';

/** Runs `netpanel` with these arguments against the test stack. */
export function netpanel(stack: LocalStack, ...args: readonly string[]): Promise<ProcessResult> {
  return runNetpanel(stack.env, args);
}

/** Returns the standard output. Throws the standard error if the exit code is not 0. */
export async function netpanelOk(stack: LocalStack, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await netpanel(stack, ...args);
  if (code !== 0) throw new Error(`netpanel ${args.join(' ')} exited with ${code}: ${stderr}`);
  return stdout;
}

/** Starts `netpanel` as a child process that a test can signal or write to. */
export function spawnNetpanel(stack: Pick<LocalStack, 'env'>, ...args: readonly string[]) {
  const program = join(repositoryRoot, 'dist/services/cli/netpanel.js');
  return spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...stack.env },
  });
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `netpanel` in this process with only this environment, which takes a tenth of the time of a new one.
 * One call waits for the previous one, because they share the environment and the output of the process.
 * Tests of concurrent commands start processes.
 */
export function runNetpanel(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<ProcessResult> {
  const result = last.then(() => runWith(env, args));
  last = result.catch(() => undefined);
  return result;
}

async function runWith(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<ProcessResult> {
  const ownEnv = process.env;
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  process.env = { PATH: ownEnv.PATH, ...env };
  try {
    const code = await runCommandLine('netpanel', commands, args);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.env = ownEnv;
    stdout.restore();
    stderr.restore();
  }
}

/** Collects what is written to the stream, which is not a terminal meanwhile. */
function capture(stream: NodeJS.WriteStream): { text(): string; restore(): void } {
  const write = stream.write.bind(stream);
  const { isTTY } = stream;
  let text = '';
  const collect = (chunk: Uint8Array | string, ...rest: readonly unknown[]): boolean => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const onWritten = rest.at(-1);
    if (typeof onWritten === 'function') process.nextTick(onWritten);
    return true;
  };
  Object.assign(stream, { write: collect, isTTY: false });
  return {
    text: () => text,
    restore: () => {
      Object.assign(stream, { write, isTTY });
    },
  };
}
