import { availableParallelism } from 'node:os';
import { freeMemoryBytes } from './free-memory.ts';

const gigabyte = 1024 ** 3;

/** At its peak: the engines, both services, the tests and what they start. A stack begins with 1 GB. */
const workerBytes = 1.9 * gigabyte;

/** A WebAssembly engine with the tests of `onWebAssembly`. */
const webAssemblyBytes = 3 * gigabyte;

/** More workers than cores, because tests also wait: for a publication, a timeout or the start of a process. */
const wantedWorkers = Math.min(availableParallelism() + 1, 6);

export interface Parallelism {
  readonly workers: number;
  /** Whether the tests on the WebAssembly engine run beside the others. */
  readonly withWebAssembly: boolean;
}

/** TEST_WORKERS sets the number of workers. Otherwise it follows the cores and the free memory. */
export function parallelism(): Parallelism {
  const free = freeMemoryBytes();
  const given = Number(process.env.TEST_WORKERS ?? 0);
  const fitting = Math.max(1, Math.floor(free / workerBytes));
  const workers = given > 0 ? given : Math.min(wantedWorkers, fitting);
  if (given === 0 && workers < wantedWorkers) {
    process.stdout.write(
      `${(free / gigabyte).toFixed(1)} GB of memory are free, enough for ${workers} test stacks and not for ` +
        `${wantedWorkers}. The tests take longer.\n`,
    );
  }
  return { workers, withWebAssembly: free >= workers * workerBytes + webAssemblyBytes };
}
