/**
 * The beginnings of paths of tests that take most of a minute each: processes killed at every step, limits of memory, the
 * benchmarks. `make test` leaves them out, to stay under ten minutes on two cores; `make test-long` and CI run them.
 */
const longTests = [
  'faults/',
  'integration/benchmark',
  'integration/exports/memory',
  'integration/local-clickhouse/memory',
  'integration/stack/restart',
  'security/event-loop',
];

export function isLong(path: string): boolean {
  return longTests.some((start) => path.startsWith(start));
}
