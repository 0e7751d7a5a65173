import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseEngine } from '../deploy/local/choose-engine.ts';
import { repositoryRoot } from '../services/shared/repository-root.ts';
import { isLong } from './runner/long-tests.ts';
import { type Queue, runQueue } from './runner/run-queue.ts';
import { nameOf, slowestFiles } from './runner/slowest-files.ts';
import { type FileResult, summaryLine, sumOf } from './runner/tally.ts';
import type { FileRun } from './runner/test-worker.ts';
import { numberOfWorkers } from './runner/worker-count.ts';
import { chromiumPath } from './support/browser.ts';

// Runs the compiled tests: those whose path contains one of the arguments, the long ones, all, or all but the long ones.
//   npm test -- unit/compiler --grep daily
//   npm test -- --long
//   npm test -- --all
// In a full run several workers, each with its own stack, take files from a queue, and each file prints its
// output when it has ended. If they use the native engine, --long and --all also run a short list of tests on the
// WebAssembly engine, beside those without a stack. Selected tests run in one worker, or in TEST_WORKERS.
// With RERUN_FAILED=1, as in CI, a file with failed tests runs once more, alone: a fault fails again, a test
// that only suffers from a busy machine passes and is listed.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: 'string' },
    bail: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
});

/** The longest files start first, so that no worker is left with one of them at the end. */
const startsFirst = [
  'faults/kill-rounds',
  'integration/operations/rolling-update',
  'faults/',
  'browser/docs-page',
  'property/',
  'security/event-loop',
  'integration/benchmark',
  'integration/clients/',
  'integration/exports/',
  'integration/schema/',
  'integration/stack/',
  'integration/cli/',
];

/**
 * Covers the WebAssembly engine with less than 3 GB of memory: the start of a stack with its sample panel, all
 * migrations, loading, publishing of metadata, and metric data compared with the reference.
 */
const onWebAssembly = ['property/metric-data.test.ts'];
const shortOnWebAssembly = {
  CLICKHOUSE_ENGINE: 'wasm',
  SAMPLE_RESULT_DAYS: '1',
  PROPERTY_RUNS: '5',
};

const noBrowser = `
The browser tests were skipped because Chromium was not found. Install it (Debian: apt-get install
chromium-headless-shell) or set CHROMIUM_PATH.
`;

const startedMs = performance.now();
const results = await runQueues(testPaths());
const firstRun = results.flatMap(({ files }) => files);
const files = process.env.RERUN_FAILED === '1' ? await rerunFailed(results) : firstRun;
if (files.length > 1) {
  process.stdout.write(`\n${slowestFiles(firstRun, (performance.now() - startedMs) / 1000)}`);
}
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

// Lists the sources, because dist/ can still contain tests whose source was deleted.
function testPaths(): string[] {
  const words = positionals.map((word) => word.replace(/^test\//, '').replace(/\.ts$/, ''));
  return readdirSync(join(repositoryRoot, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) =>
      words.length === 0
        ? values.all || isLong(path) === values.long
        : words.some((word) => path.includes(word)),
    )
    .sort();
}

interface QueueResult {
  readonly queue: Queue;
  readonly files: readonly FileResult[];
}

async function runQueues(paths: readonly string[]): Promise<readonly QueueResult[]> {
  const inOrder = paths.toSorted((a, b) => rank(a) - rank(b));
  if (positionals.length > 0) {
    return [await runAndPrint(queueOf(inOrder, Number(process.env.TEST_WORKERS ?? 1)))];
  }
  const workers = numberOfWorkers();
  const all = queueOf(inOrder, workers);
  // The WebAssembly engine keeps about 1 MB per request.
  if ((await chooseEngine()).engine === 'wasm') {
    return [await runAndPrint({ ...all, filesPerWorker: 30 })];
  }
  const isWithoutStack = (path: string) => path.startsWith('unit/');
  const withoutStack = paths.filter(isWithoutStack);
  const withStack = queueOf(
    inOrder.filter((path) => !isWithoutStack(path)),
    workers,
  );
  // The tests without a stack use the cores while the stacks start, and before these take most memory.
  if (!values.long && !values.all) {
    return Promise.all([queueOf(withoutStack, 1), withStack].map(runAndPrint));
  }
  // A stack on the WebAssembly engine takes as much memory as two others.
  const first = [queueOf(withoutStack, workers), queueOf(onWebAssembly, 1, shortOnWebAssembly)];
  const firstResults = await Promise.all(first.map(runAndPrint));
  const hasFailed = firstResults.some(({ files }) => sumOf(files).failed > 0);
  return hasFailed && values.bail ? firstResults : [...firstResults, await runAndPrint(withStack)];
}

function rank(path: string): number {
  const at = startsFirst.findIndex((start) => path.startsWith(start));
  return at < 0 ? startsFirst.length : at;
}

function queueOf(
  paths: readonly string[],
  workerCount: number,
  env: Readonly<Record<string, string>> = {},
): Queue {
  const grep = values.grep === undefined ? [] : ['--grep', values.grep];
  return {
    files: paths.map((path) => join(repositoryRoot, 'dist/test', path.replace(/ts$/, 'js'))),
    workerCount,
    worker: {
      args: [...grep, ...(values.bail ? ['--bail'] : [])],
      env,
      isBuffered: workerCount > 1 || positionals.length === 0,
    },
    stopsAtFailure: values.bail,
  };
}

async function runAndPrint(queue: Queue): Promise<QueueResult> {
  return { queue, files: await runQueue(queue, printFile) };
}

function printFile({ result, output }: FileRun): void {
  const [seconds, cpu] = [result.seconds, result.cpuSeconds].map((number) => number.toFixed(1));
  const took = result.file === '' ? '' : `${nameOf(result)}: ${seconds} s, CPU ${cpu} s\n`;
  process.stdout.write(`${output}${took}`);
}

/** Each file in a new process, after all others. */
async function rerunFailed(results: readonly QueueResult[]): Promise<readonly FileResult[]> {
  const latest: FileResult[] = [];
  for (const { queue, files } of results) {
    const isFailed = (path: string) =>
      files.some(({ file, failed }) => file === path && failed > 0);
    const failed = queue.files.filter(isFailed);
    if (failed.length > 0) process.stdout.write(`\nRunning ${failed.join(', ')} again\n`);
    const again = await runQueue({ ...queue, files: failed, workerCount: 1 }, printFile);
    const isReplaced = ({ file }: FileResult) => again.some((other) => other.file === file);
    latest.push(...files.filter((result) => !isReplaced(result)), ...again);
  }
  return latest;
}

function printFailures(heading: string, files: readonly FileResult[]): void {
  const failures = files.flatMap((result) => result.failures);
  if (failures.length === 0) return;
  process.stdout.write(`\n${heading}:\n${failures.map((line) => `  ${line}\n`).join('')}`);
}
