import Mocha from 'mocha';
import { parseArgs } from 'node:util';
import { cpuSeconds } from './runner/cpu-seconds.ts';
import type { FileResult } from './runner/tally.ts';
import { endOfFile } from './runner/test-worker.ts';
import { localStack, stopLocalStack } from './support/local-stack.ts';

// Runs compiled test files one after another with one stack: those that the parent process sends, and sends
// back the result of each; or, without a parent process, those of the arguments.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: 'string' },
    bail: { type: 'boolean', default: false },
    'mark-end-of-file': { type: 'boolean', default: false },
  },
});

type Counting = { -readonly [K in keyof FileResult]: FileResult[K] } & { failures: string[] };

if (process.send === undefined) {
  for (const file of positionals) await runFile(file);
  await stopStack();
  process.exit();
}
// The stack must not outlive the run, even if the parent process was killed.
process.once('disconnect', () => void stopStack().then(() => process.exit(1)));
process.on('message', (message: { file: string } | { stop: true }) => {
  if ('file' in message) void runFile(message.file).then((result) => report(result));
  else void stopStack().then((result) => report(result, () => process.exit()));
});

async function runFile(file: string): Promise<FileResult> {
  const result = emptyResult(file);
  const mocha = new Mocha({
    // Only for a test that hangs: no test measures time, and waitUntil ends earlier with a reason.
    timeout: 600_000,
    reporter: 'spec',
    bail: values.bail,
    ...(values.grep === undefined ? {} : { grep: values.grep }),
  });
  mocha.addFile(file);
  const startedMs = performance.now();
  const cpuBefore = cpuSeconds();
  await step(result, 'The tests could not be loaded', () => mocha.loadFilesAsync());
  // Before the first test, outside of its timeout, because a cold engine starts slowly.
  const isUnit = file.includes('/dist/test/unit/');
  if (!isUnit && result.failed === 0)
    await step(result, 'The test stack did not start', localStack);
  if (result.failed === 0) await runTests(mocha, result);
  // Otherwise it would still handle uncaught exceptions of the next files.
  mocha.dispose();
  result.seconds = (performance.now() - startedMs) / 1000;
  result.cpuSeconds = cpuSeconds() - cpuBefore;
  return result;
}

async function stopStack(): Promise<FileResult> {
  const result = emptyResult('');
  await step(result, 'The test stack did not stop cleanly', stopLocalStack);
  return result;
}

function emptyResult(file: string): Counting {
  return { file, passed: 0, failed: 0, skipped: 0, failures: [], seconds: 0, cpuSeconds: 0 };
}

/** An error outside of the tests counts as a failure: a missing engine never skips tests. */
async function step(
  result: Counting,
  failure: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${failure}: ${String(error)}\n`);
    result.failed++;
    result.failures.push(`${failure}: ${String(error)}`);
  }
}

function runTests(mocha: Mocha, result: Counting): Promise<void> {
  return new Promise((done) => {
    const runner = mocha.run(() => done());
    runner.on('pass', () => result.passed++);
    runner.on('pending', () => result.skipped++);
    runner.on('fail', (test, error: Error) => {
      result.failed++;
      result.failures.push(`${test.fullTitle()}: ${error.message.split('\n', 1)[0]}`);
    });
  });
}

function report(result: FileResult, onSent: () => void = () => undefined): void {
  if (values['mark-end-of-file']) process.stdout.write(endOfFile);
  process.send?.(result, onSent);
}
