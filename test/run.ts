import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { repositoryRoot } from '../services/shared/repository-root.ts';
import { stopLocalStack } from './support/local-stack.ts';

// Runs the built tests: all of them, or those whose path contains one of the words given.
//   npm test -- unit/compiler --grep daily
// The closing line is what .ci/run and its readers count by.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, bail: { type: 'boolean', default: false } },
});

const mocha = new Mocha({
  timeout: 60_000,
  reporter: 'spec',
  bail: values.bail,
  ...(values.grep === undefined ? {} : { grep: values.grep }),
});
for (const file of testFiles()) mocha.addFile(file);

const tally = await runAll();
process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed${skippedSuffix()}\n`);
process.exit(tally.failed === 0 && tally.passed > 0 ? 0 : 1);

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

async function runAll(): Promise<Tally> {
  const counted: Tally = { passed: 0, failed: 0, skipped: 0 };
  try {
    await mocha.loadFilesAsync();
    await new Promise<void>((done) => {
      const runner = mocha.run(() => done());
      runner.on('pass', () => counted.passed++);
      runner.on('fail', () => counted.failed++);
      runner.on('pending', () => counted.skipped++);
    });
  } catch (error) {
    process.stderr.write(`The tests could not be loaded: ${String(error)}\n`);
    counted.failed++;
  }
  try {
    await stopLocalStack();
  } catch (error) {
    process.stderr.write(`The test stack did not stop cleanly: ${String(error)}\n`);
    counted.failed++;
  }
  return counted;
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
