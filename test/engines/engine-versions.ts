/** A version of ClickHouse that `make test-engines` can run. */
export interface EngineVersion {
  /** The name in `make test-engines ENGINES="25.8 26.9"`. */
  readonly name: string;
  /** Package on PyPI; undefined for the native engine of the local stack. */
  readonly package?: { readonly name: string; readonly version: string };
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
    without: [
      ...['local-clickhouse/', 'exports/faults', 'exports/lifecycle', 'query/streams'],
      'property/report-data',
    ],
    skipReason:
      'its library runs one query at a time in one session: no cancellation, no readonly; it plans reports slowly',
  },
  { name: '26.1', package: { name: 'chdb-core', version: '26.1.0' } },
  { name: '26.3', package: { name: 'chdb-core', version: '26.3.0' } },
  { name: '26.5', package: { name: 'chdb-core', version: '26.5.0' } },
  { name: '26.7' },
  { name: '26.9', package: { name: 'chdb-core', version: '26.9.0' } },
  { name: 'cluster', env: { CLICKHOUSE_CLUSTER: 'netpanel' } },
];

/** Parts of the paths of the tests that run on each version. */
export const engineTests: readonly string[] = [
  'property/metric-data',
  'property/report-data',
  'api/query/reports',
  'property/known-at',
  'integration/schema/migrate',
  'integration/schema/result-',
  'integration/snapshot/',
  'integration/compiler/',
  'integration/exports/stores',
  'integration/exports/lifecycle',
  'integration/exports/faults',
  'integration/local-clickhouse/cancellation',
  'integration/local-clickhouse/queries',
  'integration/local-clickhouse/inserts',
  'integration/cli/load.test',
  'api/query/metric-data',
  'api/query/test-data',
  'api/query/limits',
  'api/query/streams',
  'api/query/explain',
  'api/query/filter-values',
  'api/query/filter-value-search',
  'api/query/known-at',
];
