import type { FileResult } from './tally.ts';
import { type FileRun, TestWorker, type WorkerOptions } from './test-worker.ts';

export interface Queue {
  /** Compiled test files, in the order in which they start. */
  readonly files: readonly string[];
  readonly workerCount: number;
  /** After so many files a worker is replaced, with its stack. Absent: it runs to the end. */
  readonly filesPerWorker?: number;
  readonly worker: WorkerOptions;
  readonly stopsAtFailure: boolean;
}

/** Several workers, each with its own stack, take the next file from one queue until it is empty. */
export async function runQueue(
  queue: Queue,
  onFile: (run: FileRun) => void,
): Promise<readonly FileResult[]> {
  const waiting = [...queue.files];
  const results: FileResult[] = [];
  const finish = (run: FileRun) => {
    results.push(run.result);
    if (run.result.failed > 0 && queue.stopsAtFailure) waiting.length = 0;
    onFile(run);
  };
  const work = async () => {
    let worker: TestWorker | undefined;
    let fileCount = 0;
    const stop = async () => {
      // A process that has exited is replaced: the other files still run.
      const stopped = worker === undefined || worker.hasExited ? undefined : await worker.stop();
      worker = undefined;
      if (stopped !== undefined && stopped.result.failed > 0) finish(stopped);
    };
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      if (worker?.hasExited === true || fileCount === queue.filesPerWorker) await stop();
      if (worker === undefined) fileCount = 0;
      worker ??= new TestWorker(queue.worker);
      fileCount++;
      finish(await worker.run(file));
    }
    await stop();
  };
  const workerCount = Math.min(queue.workerCount, waiting.length);
  await Promise.all(Array.from({ length: workerCount }, work));
  return results;
}
