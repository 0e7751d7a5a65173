/**
 * The beginnings of paths of tests that take most of a minute each: processes killed at every step, limits of memory,
 * stacks with a sample panel of their own, installed packages, the benchmarks. `make test` leaves them out, to stay
 * under ten minutes on two cores; `make test-long` and CI run them.
 */
const longTests = [
  'browser/docs-examples',
  'faults/',
  'integration/benchmark',
  'integration/cli/load-large',
  'integration/clients/documented-python',
  'integration/clients/python-client',
  'integration/clients/typescript-client',
  'integration/contract/examples',
  'integration/exports/memory',
  'integration/local-clickhouse/memory',
  'integration/operations/compose-wiring',
  'integration/operations/image-content',
  'integration/operations/rolling-update',
  'integration/schema/migrate-interrupted',
  'integration/stack/restart',
  'security/event-loop',
];

export function isLong(path: string): boolean {
  return longTests.some((start) => path.startsWith(start));
}
