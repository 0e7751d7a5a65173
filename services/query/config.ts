import {
  commonSettings,
  refuseHalfOfTls,
  serverSettings,
} from '../shared/config/common-settings.ts';
import {
  type Environment,
  readSettings,
  type SettingValues,
} from '../shared/config/read-settings.ts';
import { setting } from '../shared/config/setting.ts';
import { exportSettings, refuseStoreWithoutBucket } from './export/export-settings.ts';

/** What one request may cost, each with the reason for its default. */
const limitSettings = {
  // 13 months: a year compared with its own start, and well over the longest panel report.
  maxRangeDays: setting.number(
    'MAX_RANGE_DAYS',
    'Longest time range of one request, in days.',
    400,
    1,
  ),
  // 5 million raw rows are about 500 MB of JSON: beyond that, the CSV endpoints are the better way.
  maxResultRows: setting.number(
    'MAX_RESULT_ROWS',
    'Most rows one JSON answer may have.',
    5_000_000,
    1,
  ),
  // A year of one test of 100,000 agents, hourly; a request that reads more is a mistake.
  maxRowsToRead: setting.number(
    'MAX_ROWS_TO_READ',
    'Most rows ClickHouse may read for one request.',
    2_000_000_000,
    1,
  ),
  // Values travel in the address of ClickHouse's HTTP interface, which ends at 1 MiB.
  maxFilterValues: setting.number(
    'MAX_FILTER_VALUES',
    'Most filter values of one request, over all its filters.',
    1_000,
    1,
  ),
  // Each split multiplies the series; nobody reads a chart of more.
  maxSplits: setting.number('MAX_SPLITS', 'Most splits of one request.', 5, 1),
  // Enough for a dashboard of charts, few enough that one caller leaves room for the others.
  maxRunningQueries: setting.number(
    'MAX_RUNNING_QUERIES',
    'Queries of one organisation that run at once in one process.',
    8,
    1,
  ),
  // A dashboard opens all its charts at once: those over the limit wait a moment, in turn.
  queryQueueMs: setting.number(
    'QUERY_QUEUE_MS',
    'How long a query over that limit waits for its turn before 429, in milliseconds.',
    5_000,
  ),
  // Under the 60 seconds after which most proxies give up on an answer.
  queryTimeoutMs: setting.number(
    'QUERY_TIMEOUT_MS',
    'How long one query may run, answer included, in milliseconds.',
    55_000,
    1,
  ),
  queryMemoryBytes: setting.number(
    'QUERY_MEMORY_BYTES',
    'Memory ClickHouse may use for one query, in bytes.',
    4_294_967_296,
    1,
  ),
  queryThreads: setting.number(
    'QUERY_THREADS',
    "Threads ClickHouse may use for one query; 0 leaves it to the server's own setting.",
    0,
  ),
};

export const querySettings = {
  ...commonSettings,
  ...serverSettings,
  ...limitSettings,
  ...exportSettings,
  port: setting.port('QUERY_PORT', 'Port of the data interface.', 8080),
  opsPort: setting.port('QUERY_OPS_PORT', "Port of the query service's health and figures.", 9080),
  clickhouseConnections: setting.number(
    'CLICKHOUSE_CONNECTIONS',
    'ClickHouse connections for the queries of callers; more queries wait.',
    64,
    1,
  ),
  accessCacheMs: setting.number(
    'ACCESS_CACHE_MS',
    "How long an organisation's grants and custom keys are used without looking again.",
    5_000,
  ),
  auditFlushMs: setting.number(
    'AUDIT_FLUSH_MS',
    'How often the audit of queries is written to ClickHouse, in milliseconds.',
    2_000,
    1,
  ),
  explorerMetadataUrl: setting.url(
    'EXPLORER_METADATA_URL',
    'Metadata interface as browsers reach it, for the agents tab of /explorer; empty: no such tab.',
    { fallback: '' },
  ),
};

export type QueryConfig = SettingValues<typeof querySettings>;

export function readQueryConfig(environment: Environment = process.env): QueryConfig {
  const config = readSettings(querySettings, environment);
  refuseStoreWithoutBucket(config);
  refuseHalfOfTls(config);
  return config;
}
