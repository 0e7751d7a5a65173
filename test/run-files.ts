import Mocha from 'mocha';
import { parseArgs } from 'node:util';
import { localStack, stopLocalStack } from './support/local-stack.ts';
import type { FileResult } from './tally.ts';

// Runs the compiled test files with one stack, and sends the result of each file to the parent process.

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, bail: { type: 'boolean', default: false } },
});
const mocha = new Mocha({
  // Generous for busy machines. No test measures time.
  timeout: 120_000,
  reporter: 'spec',
  bail: values.bail,
  ...(values.grep === undefined ? {} : { grep: values.grep }),
});
for (const file of files) mocha.addFile(file);

type Counting = { -readonly [K in keyof FileResult]: FileResult[K] } & { failures: string[] };
const results = new Map<string, Counting>();
const outside = resultOf('');
await step('The tests could not be loaded', () => mocha.loadFilesAsync());
if (outside.failed === 0) await step('The test stack did not start', startStackIfNeeded);
if (outside.failed === 0) await runTests();
await step('The test stack did not stop cleanly', stopLocalStack);
process.send?.([...results.values()] satisfies FileResult[], () => process.exit());

/** An error outside of the tests counts as a failure: a missing engine never skips tests. */
async function step(failure: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${failure}: ${String(error)}\n`);
    outside.failed++;
    outside.failures.push(`${failure}: ${String(error)}`);
  }
}

/** Starts before the first test, outside of its timeout, because a cold engine starts slowly. */
async function startStackIfNeeded(): Promise<void> {
  if (files.some((file) => !file.includes('/dist/test/unit/'))) await localStack();
}

function runTests(): Promise<void> {
  return new Promise((done) => {
    const runner = mocha.run(() => done());
    runner.on('pass', ({ file }) => resultOf(file).passed++);
    runner.on('pending', ({ file }) => resultOf(file).skipped++);
    runner.on('fail', (test, error: Error) => {
      const result = resultOf(test.file);
      result.failed++;
      result.failures.push(`${test.fullTitle()}: ${error.message.split('\n', 1)[0]}`);
    });
  });
}

function resultOf(file = ''): Counting {
  const found = results.get(file) ?? { file, passed: 0, failed: 0, skipped: 0, failures: [] };
  results.set(file, found);
  return found;
}
