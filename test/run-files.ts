import Mocha from 'mocha';
import { parseArgs } from 'node:util';
import { localStack, stopLocalStack } from './support/local-stack.ts';
import type { Tally } from './tally.ts';

// Runs the built test files given, with a stack of their own, and tells the parent what came of it.

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, bail: { type: 'boolean', default: false } },
});
const mocha = new Mocha({
  // Generous, since a shared machine can be slow for a while: no test measures time.
  timeout: 120_000,
  reporter: 'spec',
  bail: values.bail,
  ...(values.grep === undefined ? {} : { grep: values.grep }),
});
for (const file of files) mocha.addFile(file);

const tally = { passed: 0, failed: 0, skipped: 0 };
await step('The tests could not be loaded', () => mocha.loadFilesAsync());
if (tally.failed === 0) await step('The test stack did not start', startStackIfNeeded);
if (tally.failed === 0) await runTests();
await step('The test stack did not stop cleanly', stopLocalStack);
process.send?.(tally satisfies Tally, () => process.exit());

/** What goes wrong around the tests counts as a failure: a missing engine never skips them. */
async function step(failure: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${failure}: ${String(error)}\n`);
    tally.failed++;
  }
}

/** Before the first test and without its time limit: a cold engine on a busy machine takes long. */
async function startStackIfNeeded(): Promise<void> {
  if (files.some((file) => !file.includes('/dist/test/unit/'))) await localStack();
}

function runTests(): Promise<void> {
  return new Promise((done) => {
    const runner = mocha.run(() => done());
    runner.on('pass', () => tally.passed++);
    runner.on('fail', () => tally.failed++);
    runner.on('pending', () => tally.skipped++);
  });
}
