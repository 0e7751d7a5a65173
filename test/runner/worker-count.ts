import { availableParallelism, totalmem } from 'node:os';

const gigabyte = 1024 ** 3;

/** At its peak: the engines, the services, the tests and what they start. A stack begins with 1 GB. */
const workerBytes = 1.9 * gigabyte;

/** On two cores the tests must fit into 4 GB. A third worker would save time, and take 2 GB more. */
const wantedWorkers = Math.min(availableParallelism(), 6);

/** TEST_WORKERS sets the number of workers. Otherwise it follows the cores and the free memory. */
export function numberOfWorkers(): number {
  const given = Number(process.env.TEST_WORKERS ?? 0);
  if (given > 0) return given;
  const free = freeBytes();
  const fitting = Math.max(1, Math.floor(free / workerBytes));
  const workers = Math.min(wantedWorkers, fitting);
  if (workers < wantedWorkers) {
    process.stdout.write(
      `${(free / gigabyte).toFixed(1)} GB of memory are free, enough for ${workers} test stacks and not for ` +
        `${wantedWorkers}. The tests take longer.\n`,
    );
  }
  return workers;
}

/** macOS counts only memory without any content as free, and takes the rest from its caches when it is needed. */
function freeBytes(): number {
  return process.platform === 'darwin' ? totalmem() / 2 : process.availableMemory();
}
