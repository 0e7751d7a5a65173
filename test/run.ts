import { fork } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseEngine } from '../deploy/local/choose-engine.ts';
import { repositoryRoot } from '../services/shared/repository-root.ts';
import { chromiumPath } from './support/browser.ts';
import { type FileResult, summaryLine, sumOf } from './tally.ts';

// Runs the compiled tests: all of them, or those whose path contains one of the arguments.
//   npm test -- unit/compiler --grep daily
// A full run has two halves in parallel, each with its own stack. If they use the native engine, a short
// list of tests follows on the WebAssembly engine. Each part prints its output when the previous ones ended.
// With RERUN_FAILED=1, as in CI, a file with failed tests runs once more, alone: a fault fails again, a test
// that only suffers from a busy machine passes and is listed.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, bail: { type: 'boolean', default: false } },
});

/** About half of the run time. All other tests are the first half. */
const secondHalf = [
  'faults/',
  'property/',
  'security/',
  'integration/local-clickhouse/',
  'integration/exports/',
  'integration/benchmark',
  'integration/erasure/',
  'integration/stack/',
];

/** Tests that cover the WebAssembly engine with less than 3 GB of memory. */
const onWebAssembly = ['integration/snapshot/', 'property/metric-data'];
const shortOnWebAssembly = { CLICKHOUSE_ENGINE: 'wasm', PROPERTY_RUNS: '50' };

/** Memory for two parts in parallel. */
const parallelBytes = 4 * 1024 ** 3;

const noBrowser = `
The browser tests were skipped because Chromium was not found. Install it (Debian: apt-get install
chromium) or set CHROMIUM_PATH.
`;

const results = await runParts(await partsOf(testPaths()));
for (const { bufferedOutput } of results) process.stdout.write(bufferedOutput);
const firstRun = results.flatMap(({ files }) => files);
const files = process.env.RERUN_FAILED === '1' ? await rerunFailed(results) : firstRun;
printFailures('Failed', files);
const passedLater = firstRun.filter(
  (first) =>
    first.failed > 0 && files.some(({ file, failed }) => file === first.file && failed === 0),
);
printFailures('Failed at first, passed when run again alone', passedLater);
const total = sumOf(files);
if (total.skipped > 0 && chromiumPath() === undefined) process.stdout.write(noBrowser);
process.stdout.write(`\n${summaryLine(total)}\n`);
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
  const isLowMemory = parts.length > 1 && availableBytes() < parallelBytes;
  if (isLowMemory) process.stdout.write(lowMemoryWarning(availableBytes()));
  const halves = isLowMemory ? 0 : 2;
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

function lowMemoryWarning(bytes: number): string {
  const gigabytes = (count: number) => `${(count / 1024 ** 3).toFixed(1)} GB`;
  return (
    `The tests need ${gigabytes(parallelBytes)} of free memory to run in parallel, but only ` +
    `${gigabytes(bytes)} are free. They run one part after the other, which takes longer.\n`
  );
}

// Lists the sources, because dist/ can still contain tests whose source was deleted.
function testPaths(): string[] {
  const words = positionals.map((word) => word.replace(/^test\//, '').replace(/\.ts$/, ''));
  return readdirSync(join(repositoryRoot, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
    .sort();
}

interface PartResult {
  readonly part: Part;
  readonly files: readonly FileResult[];
  readonly bufferedOutput: string;
}

async function rerunFailed(results: readonly PartResult[]): Promise<readonly FileResult[]> {
  const latest: FileResult[] = [];
  for (const { part, files } of results) {
    const failed = part.paths.filter((path) =>
      files.some((result) => result.failed > 0 && result.file === compiledPath(path)),
    );
    if (failed.length === 0) {
      latest.push(...files);
      continue;
    }
    process.stdout.write(`\nRunning ${failed.join(', ')} again\n`);
    const again = await runPart({ ...part, paths: failed }, 0);
    const isReplaced = ({ file }: FileResult) => again.files.some((other) => other.file === file);
    latest.push(...files.filter((result) => !isReplaced(result)), ...again.files);
  }
  return latest;
}

function printFailures(heading: string, files: readonly FileResult[]): void {
  const failures = files.flatMap((result) => result.failures);
  if (failures.length === 0) return;
  process.stdout.write(`\n${heading}:\n${failures.map((line) => `  ${line}\n`).join('')}`);
}

function compiledPath(path: string): string {
  return join(repositoryRoot, 'dist/test', path.replace(/ts$/, 'js'));
}

async function runPart(part: Part, index: number): Promise<PartResult> {
  const { paths, env } = part;
  const files = paths.map(compiledPath);
  const options = [
    ...(values.grep === undefined ? [] : ['--grep', values.grep]),
    ...(values.bail ? ['--bail'] : []),
  ];
  const runner = join(repositoryRoot, 'dist/test/run-files.js');
  const child = fork(runner, [...options, ...files], {
    silent: index > 0,
    env: { ...process.env, ...env },
  });
  let bufferedOutput = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (bufferedOutput += text));
  }
  let results: readonly FileResult[] | undefined;
  child.once('message', (message) => (results = message as readonly FileResult[]));
  await new Promise((resolve) => child.once('close', resolve));
  if (results !== undefined) return { part, files: results, bufferedOutput };
  const failures = ['The test process exited before all tests had run'];
  const exited = { file: '', passed: 0, failed: 1, skipped: 0, failures };
  return { part, files: [exited], bufferedOutput };
}
