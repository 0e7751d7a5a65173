import { fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../services/shared/repository-root.ts';
import { chromiumPath } from './support/browser.ts';
import { closingLine, nothing, sumOf, type Tally } from './tally.ts';

// Runs the built tests: all of them, or those whose path contains one of the words given.
//   npm test -- unit/compiler --grep daily
// All of them run in two halves side by side, each with a stack of its own: one engine keeps one
// core busy. What the second half says is shown when both are through.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, bail: { type: 'boolean', default: false } },
});

/** About half of the time; what is not named here is the other half. */
const secondHalf = ['faults/', 'property/', 'security/', 'integration/local-clickhouse/'];

const noBrowser = `
The tests of the pages were skipped: there is no Chromium. Install one (Debian: apt-get install
chromium) or name one with CHROMIUM_PATH.
`;

const results = await Promise.all(halves(testPaths()).map(runHalf));
for (const { shownLater } of results) process.stdout.write(shownLater);
const total = sumOf(results.map(({ tally }) => tally));
if (total.skipped > 0 && chromiumPath() === undefined) process.stdout.write(noBrowser);
process.stdout.write(`\n${closingLine(total)}\n`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);

function halves(paths: readonly string[]): string[][] {
  if (positionals.length > 0) return [[...paths]];
  const isSecond = (path: string) => secondHalf.some((folder) => path.startsWith(folder));
  return [paths.filter((path) => !isSecond(path)), paths.filter(isSecond)];
}

// Listed from the sources, since dist/ can still hold what a deleted test was compiled to.
function testPaths(): string[] {
  const words = positionals.map((word) => word.replace(/^test\//, '').replace(/\.ts$/, ''));
  return readdirSync(join(repositoryRoot, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
    .sort();
}

interface HalfResult {
  readonly tally: Tally;
  readonly shownLater: string;
}

async function runHalf(paths: readonly string[], half: number): Promise<HalfResult> {
  const files = paths.map((path) => join(repositoryRoot, 'dist/test', path.replace(/ts$/, 'js')));
  const options = [
    ...(values.grep === undefined ? [] : ['--grep', values.grep]),
    ...(values.bail ? ['--bail'] : []),
  ];
  const runner = join(repositoryRoot, 'dist/test/run-files.js');
  const child = fork(runner, [...options, ...files], { silent: half > 0 });
  let shownLater = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (shownLater += text));
  }
  let tally: Tally | undefined;
  child.once('message', (message) => (tally = message as Tally));
  await new Promise((resolve) => child.once('close', resolve));
  if (tally !== undefined) return { tally, shownLater };
  const cutOff = `${shownLater}\nThe tests ended before they were through\n`;
  return { tally: { ...nothing, failed: 1 }, shownLater: cutOff };
}
