import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { repositoryRoot } from '../services/shared/repository-root.ts';
import { chromiumPath } from './support/browser.ts';
import { localStack, stopLocalStack } from './support/local-stack.ts';

// Runs the built tests: all of them, or those whose path contains one of the words given.
//   npm test -- unit/compiler --grep daily
// The closing line is what .ci/run and its readers count by.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, bail: { type: 'boolean', default: false } },
});

const files = testFiles();
const mocha = new Mocha({
  // Generous, since a shared machine can be slow for a while: no test measures time.
  timeout: 120_000,
  reporter: 'spec',
  bail: values.bail,
  ...(values.grep === undefined ? {} : { grep: values.grep }),
});
for (const file of files) mocha.addFile(file);

const noBrowser = `
The tests of the pages were skipped: there is no Chromium. Install one (Debian: apt-get install
chromium) or name one with CHROMIUM_PATH.
`;

const tally = { passed: 0, failed: 0, skipped: 0 };
await step('The tests could not be loaded', () => mocha.loadFilesAsync());
if (tally.failed === 0) await step('The test stack did not start', startStackIfNeeded);
if (tally.failed === 0) await runTests();
await step('The test stack did not stop cleanly', stopLocalStack);
if (tally.skipped > 0 && chromiumPath() === undefined) process.stdout.write(noBrowser);
process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed${skippedSuffix()}\n`);
process.exit(tally.failed === 0 && tally.passed > 0 ? 0 : 1);

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

function skippedSuffix(): string {
  return tally.skipped === 0 ? '' : `, ${tally.skipped} skipped`;
}

// Listed from the sources, since dist/ can still hold what a deleted test was compiled to.
function testFiles(): string[] {
  const words = positionals.map((word) => word.replace(/^test\//, '').replace(/\.ts$/, ''));
  return readdirSync(join(repositoryRoot, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
    .sort()
    .map((path) => join(repositoryRoot, 'dist/test', path.replace(/\.ts$/, '.js')));
}
