import type { FileResult } from './tally.ts';
import { type FileRun, TestWorker, type WorkerOptions } from './test-worker.ts';

export interface Queue {
  /** Compiled test files, in the order in which they start. */
  readonly files: readonly string[];
  readonly workerCount: number;
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
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      // A process that has exited is replaced: the other files still run.
      if (worker === undefined || worker.hasExited) worker = new TestWorker(queue.worker);
      finish(await worker.run(file));
    }
    if (worker === undefined || worker.hasExited) return;
    const stopped = await worker.stop();
    if (stopped.result.failed > 0) finish(stopped);
  };
  const workerCount = Math.min(queue.workerCount, waiting.length);
  await Promise.all(Array.from({ length: workerCount }, work));
  return results;
}
