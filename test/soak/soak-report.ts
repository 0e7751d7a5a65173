import type { MemorySample } from './memory-samples.ts';
import { memorySlope } from './memory-slope.ts';

const megabyte = 1_000_000;

/** Growth per ten minutes of what the service keeps. */
const maxLiveSlope = 1 * megabyte;
/**
 * Growth per ten minutes of the resident memory. Larger, because the allocators keep freed pages: resident
 * memory moves by several megabytes without a leak. It would show a leak outside of the heap.
 */
const maxResidentSlope = 5 * megabyte;

interface MemoryReport {
  readonly line: string;
  readonly problems: readonly string[];
}

/** One line of the table, and what is wrong. */
export function memoryReport(name: string, samples: readonly MemorySample[]): MemoryReport {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || first === last) {
    return { line: name, problems: [`${name}: there are no memory samples`] };
  }
  const live = memorySlope(samples.map(({ atMs, liveBytes }) => ({ atMs, bytes: liveBytes })));
  const resident = memorySlope(
    samples.map(({ atMs, residentBytes }) => ({ atMs, bytes: residentBytes })),
  );
  const columns = [
    name.padEnd(10),
    megabytes(lowest(samples.map(({ liveBytes }) => liveBytes))),
    megabytes(live),
    megabytes(lowest(samples.map(({ residentBytes }) => residentBytes))),
    megabytes(resident),
    String(samples.length).padStart(7),
  ];
  const problems = [
    live > maxLiveSlope && `${name}: heap and external memory grow by ${perTen(live)}`,
    resident > maxResidentSlope && `${name}: resident memory grows by ${perTen(resident)}`,
  ];
  return { line: columns.join('  '), problems: problems.filter((problem) => problem !== false) };
}

export const memoryHeading =
  'service     live MB  per 10 min  RSS MB  per 10 min  samples (live: heap and external)';

/** For the line of each minute. */
export function memoryNow(name: string, sample: MemorySample | undefined): string {
  if (sample === undefined) return '';
  const { liveBytes, residentBytes } = sample;
  return `${name} ${megabytes(liveBytes).trim()} live, ${megabytes(residentBytes).trim()} RSS`;
}

function lowest(values: readonly number[]): number {
  return Math.min(...values);
}

function megabytes(bytes: number): string {
  return (bytes / megabyte).toFixed(2).padStart(8);
}

function perTen(bytes: number): string {
  return `${(bytes / megabyte).toFixed(2)} MB per 10 minutes`;
}
