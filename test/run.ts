import { fork } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseEngine } from '../deploy/local/choose-engine.ts';
import { repositoryRoot } from '../services/shared/repository-root.ts';
import { chromiumPath } from './support/browser.ts';
import { closingLine, nothing, sumOf, type Tally } from './tally.ts';

// Runs the built tests: all of them, or those whose path contains one of the words given.
//   npm test -- unit/compiler --grep daily
// All of them run in two halves side by side, each with a stack of its own, and then a short list on the
// WebAssembly engine, where the halves use the native one. The output of a part is shown when the parts
// before it are through.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, bail: { type: 'boolean', default: false } },
});

/** About half of the time; what is not named here is the other half. */
const secondHalf = [
  'faults/',
  'property/',
  'security/',
  'integration/local-clickhouse/',
  'integration/exports/',
];

/** What shows that the WebAssembly engine can stand in for the native one, within three gigabytes. */
const onWebAssembly = ['integration/snapshot/', 'property/metric-data'];
const shortOnWebAssembly = { CLICKHOUSE_ENGINE: 'wasm', PROPERTY_RUNS: '50' };

/** Two parts at once take this much. */
const neededBytes = 4 * 1024 ** 3;

const noBrowser = `
The tests of the pages were skipped: there is no Chromium. Install one (Debian: apt-get install
chromium) or name one with CHROMIUM_PATH.
`;

const results = await runParts(await partsOf(testPaths()));
for (const { shownLater } of results) process.stdout.write(shownLater);
const total = sumOf(results.map(({ tally }) => tally));
if (total.skipped > 0 && chromiumPath() === undefined) process.stdout.write(noBrowser);
process.stdout.write(`\n${closingLine(total)}\n`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);

interface Part {
  readonly paths: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

async function partsOf(paths: readonly string[]): Promise<readonly Part[]> {
  if (positionals.length > 0) return [{ paths }];
  const isSecond = (path: string) => secondHalf.some((folder) => path.startsWith(folder));
  const isShort = (path: string) => onWebAssembly.some((start) => path.startsWith(start));
  const { engine } = await chooseEngine();
  return [
    { paths: paths.filter((path) => !isSecond(path)) },
    { paths: paths.filter(isSecond) },
    ...(engine === 'wasm' ? [] : [{ paths: paths.filter(isShort), env: shortOnWebAssembly }]),
  ];
}

async function runParts(parts: readonly Part[]): Promise<readonly PartResult[]> {
  const isTight = parts.length > 1 && availableBytes() < neededBytes;
  if (isTight) process.stdout.write(tooLittleMemory(availableBytes()));
  const halves = isTight ? 0 : 2;
  const results = await Promise.all(parts.slice(0, halves).map(runPart));
  for (const [i, part] of parts.entries()) {
    if (i >= halves) results.push(await runPart(part, i));
  }
  return results;
}

function availableBytes(): number {
  const [, kilobytes] = /^MemAvailable:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [];
  return Number(kilobytes ?? 0) * 1024;
}

function tooLittleMemory(bytes: number): string {
  const gigabytes = (count: number) => `${(count / 1024 ** 3).toFixed(1)} GB`;
  return (
    `The tests want ${gigabytes(neededBytes)} of free memory and there are ${gigabytes(bytes)}: ` +
    'their parts run one after the other, which takes longer.\n'
  );
}

// Listed from the sources, since dist/ can still hold what a deleted test was compiled to.
function testPaths(): string[] {
  const words = positionals.map((word) => word.replace(/^test\//, '').replace(/\.ts$/, ''));
  return readdirSync(join(repositoryRoot, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
    .sort();
}

interface PartResult {
  readonly tally: Tally;
  readonly shownLater: string;
}

async function runPart({ paths, env }: Part, index: number): Promise<PartResult> {
  const files = paths.map((path) => join(repositoryRoot, 'dist/test', path.replace(/ts$/, 'js')));
  const options = [
    ...(values.grep === undefined ? [] : ['--grep', values.grep]),
    ...(values.bail ? ['--bail'] : []),
  ];
  const runner = join(repositoryRoot, 'dist/test/run-files.js');
  const child = fork(runner, [...options, ...files], {
    silent: index > 0,
    env: { ...process.env, ...env },
  });
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
