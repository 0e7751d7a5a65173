import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { emptyTally, type Tally } from '../runner/tally.ts';

/** Runs tests in another Node or with other settings, and prints their output below `name`. */
export async function runTests(
  name: string,
  { node, env, tests }: { node: string; env: NodeJS.ProcessEnv; tests: readonly string[] },
): Promise<Tally> {
  const runner = join(repositoryRoot, 'dist/test/run.js');
  const child = spawn(node, ['--enable-source-maps', runner, ...tests], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let lastLine = '';
  for await (const line of createInterface({ input: child.stdout })) {
    process.stdout.write(`${name.padEnd(12)}${line}\n`);
    if (line !== '') lastLine = line;
  }
  return tallyOf(lastLine);
}

/** `12 passed, 0 failed, 1 skipped` at the end of the output. */
function tallyOf(output: string): Tally {
  const [, passed, failed, skipped] =
    /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(output) ?? [];
  if (passed === undefined) return { ...emptyTally, failed: 1 };
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped ?? 0) };
}
