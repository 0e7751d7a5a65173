import { storedAnswersSizeSetting } from '../schema/clickhouse/stored-answers-size.ts';
import {
  commonSettings,
  serverSettings,
  tlsPairProblem,
} from '../shared/config/common-settings.ts';
import {
  type Environment,
  readSettings,
  type SettingValues,
} from '../shared/config/read-settings.ts';
import { setting } from '../shared/config/setting.ts';
import { maxSharedSlots } from '../shared/slots/shared-slots.ts';
import { exportSettings, s3BucketProblem } from './settings/export-settings.ts';
import { publicUrlProblem } from './settings/public-url.ts';
import { regionMapProblem, regionMapSettings } from './region-map/region-map-settings.ts';

/** Limits per request, each with the reason for its default. */
const limitSettings = {
  // Ten whole years, to compare years. Rows and memory have their own limits.
  maxRangeDays: setting.number(
    'MAX_RANGE_DAYS',
    'Maximum time range of a request, in days.',
    3_660,
    1,
  ),
  // 5 million raw rows are about 500 MB of JSON. Use the CSV endpoints for more.
  maxResultRows: setting.number(
    'MAX_RESULT_ROWS',
    'Maximum number of rows in a JSON response.',
    5_000_000,
    1,
  ),
  // A year of hourly tests of 100,000 agents is 876 million rows.
  maxRowsToRead: setting.number(
    'MAX_ROWS_TO_READ',
    'Maximum number of rows ClickHouse reads for a request.',
    2_000_000_000,
    1,
  ),
  // Enough for a list of agents or targets. Long ones are limited by MAX_BODY_BYTES first.
  maxFilterValues: setting.number(
    'MAX_FILTER_VALUES',
    'Maximum number of filter values in a request, over all its filters.',
    1_000,
    1,
  ),
  maxSplits: setting.number('MAX_SPLITS', 'Maximum number of splits in a request.', 8, 1),
  // Three periods of 300,000 agents. The first request with a new knownAt copies them from Postgres.
  maxKnownAtPeriods: setting.number(
    'MAX_KNOWN_AT_PERIODS',
    'Maximum number of periods of metadata for a request with `knownAt`.',
    1_000_000,
    1,
  ),
  // Enough for a dashboard, and leaves capacity for other organisations.
  maxRunningQueries: setting.number(
    'MAX_RUNNING_QUERIES',
    'Maximum number of concurrent queries per organisation, over all replicas.',
    8,
    1,
    maxSharedSlots,
  ),
  // About a second of CPU time.
  queryRowsPerSlot: setting.number(
    'QUERY_ROWS_PER_SLOT',
    'Number of results that count as one query of `MAX_RUNNING_QUERIES`: a query that reads more counts several times.',
    2_000_000,
    1,
  ),
  // Together with exports and the service's own queries below the limit of the role in ClickHouse: docs/scale.md.
  maxRunningQueriesTotal: setting.number(
    'MAX_RUNNING_QUERIES_TOTAL',
    'Maximum number of concurrent queries of all organisations, over all replicas.',
    100,
    2,
    maxSharedSlots,
  ),
  // A dashboard sends the queries of all its charts at once. Queries over the limit are queued.
  queryQueueMs: setting.number(
    'QUERY_QUEUE_MS',
    'How long a query over these limits is queued before the response is 429, in milliseconds.',
    5_000,
  ),
  // Less than 60 seconds, the default timeout of most proxies.
  queryTimeoutMs: setting.number(
    'QUERY_TIMEOUT_MS',
    'Timeout of a query, including sending the response, in milliseconds.',
    55_000,
    1,
  ),
  queryMemoryBytes: setting.number(
    'QUERY_MEMORY_BYTES',
    'Maximum memory ClickHouse uses per query, in bytes.',
    4_294_967_296,
    1,
  ),
  queryThreads: setting.number(
    'QUERY_THREADS',
    "Maximum number of threads ClickHouse uses per query; 0: the server's own setting.",
    0,
  ),
};

export const querySettings = {
  ...commonSettings,
  ...serverSettings,
  ...limitSettings,
  ...exportSettings,
  port: setting.port('QUERY_PORT', 'Port of the data interface.', 8080),
  opsPort: setting.port(
    'QUERY_OPS_PORT',
    'Port of health, readiness and metrics of the query service.',
    9080,
  ),
  clickhouseConnections: setting.number(
    'CLICKHOUSE_CONNECTIONS',
    'Maximum number of ClickHouse connections for client queries; more queries wait.',
    64,
    1,
  ),
  // Two checks, with the time for ClickHouse to respond, take less than 30 seconds.
  clickhouseSilenceMs: setting.number(
    'CLICKHOUSE_SILENCE_MS',
    'Time without a byte from ClickHouse after which the service checks that the query is still running, in milliseconds.',
    10_000,
    1,
  ),
  accessCacheMs: setting.number(
    'ACCESS_CACHE_MS',
    "How long an organisation's grants and custom keys are cached, in milliseconds; a metadata change updates the keys at once.",
    5_000,
  ),
  storedAnswersBytes: storedAnswersSizeSetting,
  storedAnswersMinMs: setting.number(
    'STORED_ANSWERS_MIN_MS',
    'An answer is stored if computing it took at least this long, in milliseconds.',
    25,
  ),
  // A change of a large panel takes longer to publish: its client retries.
  metadataWaitMs: setting.number(
    'METADATA_WAIT_MS',
    'How long a request waits for the metadata version that it requires before the response is 503, in milliseconds.',
    5_000,
  ),
  auditFlushMs: setting.number(
    'AUDIT_FLUSH_MS',
    'How often the query audit is written to ClickHouse, in milliseconds.',
    2_000,
    1,
  ),
  explorerMetadataUrl: setting.url(
    'EXPLORER_METADATA_URL',
    'Public URL of the metadata interface, for the agents tab of /explorer; empty: no agents tab.',
    { fallback: '' },
  ),
  ...regionMapSettings,
};

export type QueryConfig = SettingValues<typeof querySettings>;

export function readQueryConfig(environment: Environment = process.env): QueryConfig {
  return readSettings(querySettings, environment, [
    s3BucketProblem,
    publicUrlProblem,
    tlsPairProblem,
    noCapacityForOthers,
    regionMapProblem,
  ]);
}

/** One organisation alone must not be able to use all slots. */
function noCapacityForOthers({
  maxRunningQueries,
  maxRunningQueriesTotal,
}: Partial<QueryConfig>): string | undefined {
  if (maxRunningQueries === undefined || maxRunningQueriesTotal === undefined) return undefined;
  if (maxRunningQueries < maxRunningQueriesTotal) return undefined;
  return `MAX_RUNNING_QUERIES must be less than MAX_RUNNING_QUERIES_TOTAL, ${maxRunningQueriesTotal}, not ${maxRunningQueries}`;
}
