import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Queue, runQueue } from '../../runner/run-queue.ts';
import type { FileRun } from '../../runner/test-worker.ts';

const passes = "it('passes', () => {});";
const fails = "it('fails', () => { throw new Error('broken'); });";
const exits = "it('exits', () => process.exit(3));";

describe('the queue of test files', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'netpanel-queue-'));
    // Tests in a folder of this name start no stack.
    mkdirSync(join(folder, 'dist/test/unit'), { recursive: true });
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('runs all files in one process', async () => {
    const runs = await run([passes, passes, passes]);
    expect(runs.map(({ result }) => result.passed)).to.deep.equal([1, 1, 1]);
    expect(processesOf(runs)).to.deep.equal([3]);
  });

  it('replaces a process after a number of files', async () => {
    const runs = await run([passes, passes, passes, passes, passes], { filesPerWorker: 2 });
    expect(processesOf(runs)).to.deep.equal([2, 2, 1]);
  });

  it('goes on with another process after one that exited, which counts as a failure', async () => {
    const runs = await run([passes, exits, passes]);
    expect(runs.map(({ result }) => result.failed)).to.deep.equal([0, 1, 0]);
    expect(runs[1]?.result.failures).to.deep.equal([
      'The test process exited before all tests had run',
    ]);
    expect(processesOf(runs)).to.deep.equal([2, 1]);
  });

  it('ends at the first failure if asked to', async () => {
    expect(await run([passes, fails, passes])).to.have.length(3);
    expect(await run([passes, fails, passes], { stopsAtFailure: true })).to.have.length(2);
  });

  async function run(sources: readonly string[], options: Partial<Queue> = {}): Promise<FileRun[]> {
    const files = sources.map((source, i) => {
      const file = join(folder, `dist/test/unit/${i}.test.mjs`);
      writeFileSync(file, `console.log('process', process.pid);\n${source}\n`);
      return file;
    });
    const worker = { args: [], env: {}, isBuffered: true };
    const runs: FileRun[] = [];
    await runQueue({ files, workerCount: 1, worker, stopsAtFailure: false, ...options }, (run) =>
      runs.push(run),
    );
    return runs;
  }
});

/** The number of files that each process ran. */
function processesOf(runs: readonly FileRun[]): number[] {
  const counts = new Map<string, number>();
  for (const { output } of runs) {
    const id = /process (\d+)/.exec(output)?.[1] ?? '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts.values()];
}
