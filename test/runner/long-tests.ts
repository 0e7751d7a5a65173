/**
 * The beginnings of paths of tests that take or wait for 15 s or more each: processes killed at every step, limits of
 * memory, servers and stacks of their own, installed packages, every request of a page, the benchmarks. `make test`
 * leaves them out, to stay under eight minutes on two cores; `make test-long` and CI run them.
 */
export const longTests = [
  'api/query/custom-numbers',
  'api/query/known-at.test',
  'api/shared/tls',
  'browser/docs-examples',
  'browser/docs-page',
  'browser/explorer-rules',
  'faults/',
  'integration/benchmark',
  'integration/cli/load-large',
  'integration/cli/load-mba',
  'integration/cli/watch.test',
  'integration/clients/documented-python',
  'integration/clients/python-client',
  'integration/clients/typescript-client',
  'integration/contract/examples',
  'integration/erasure/erase-household',
  'integration/exports/faults',
  'integration/exports/lifecycle',
  'integration/exports/memory',
  'integration/exports/silent-clickhouse',
  'integration/local-clickhouse/memory',
  'integration/operations/clock-skew',
  'integration/operations/compose-wiring',
  'integration/operations/image-content',
  'integration/operations/readiness',
  'integration/operations/release',
  'integration/operations/rolling-update',
  'integration/operations/runbooks',
  'integration/operations/traces',
  'integration/sample-panel',
  'integration/schema/migrate-interrupted',
  'integration/schema/query-row-policy',
  'integration/schema/roles',
  'integration/snapshot/changed-agents',
  'integration/stack/restart',
  'property/agent-ids',
  'property/floor-attack',
  'property/known-at',
  'property/metadata-history',
  'property/pairs',
  'property/stored-answers',
  'security/event-loop',
  'security/hostile-bodies',
  'security/ingest-floods',
  'security/injection',
  'security/no-token-leaks',
  'security/token-flood',
  'security/slow-bodies',
];

export function isLong(path: string): boolean {
  return longTests.some((start) => path.startsWith(start));
}
