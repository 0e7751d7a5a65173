import { resultSettings } from '../results/result-settings.ts';
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

const mebibyte = 1024 ** 2;

/** Limits of a request, each with the reason for its default. */
const requestSettings = {
  // All rows of a request are in memory until its end. A day of 10,000 agents with one result per hour is 60 MB of
  // NDJSON, 6 MB with gzip.
  maxResultsBytes: setting.number(
    'INGEST_MAX_BODY_BYTES',
    'Maximum size of a request with results as it is sent, in bytes.',
    64 * mebibyte,
    1,
  ),
  maxDecodedBytes: setting.number(
    'INGEST_MAX_DECODED_BYTES',
    'Maximum size of a request with results after decompression, in bytes.',
    64 * mebibyte,
    1,
  ),
  // Short lines cost as much as long ones: 64 MiB could have 20 million.
  maxLines: setting.number(
    'INGEST_MAX_LINES',
    'Maximum number of lines of a body with results, blank ones included, or of elements of a JSON array.',
    500_000,
    1,
  ),
  maxRejected: setting.number(
    'INGEST_MAX_REJECTED',
    'Maximum number of rejected rows of a request; beyond it nothing is stored.',
    10_000,
    1,
  ),
  maxListedRejects: setting.number(
    'INGEST_MAX_LISTED_REJECTS',
    'Maximum number of rejected rows that a response lists.',
    100,
    1,
    10_000,
  ),
  unknownAgents: setting.oneOf(
    'INGEST_UNKNOWN_AGENTS',
    'What happens to results of agents that are not registered: the rows are refused, or the agents registered.',
    ['refuse', 'register'] as const,
    'refuse',
  ),
  ...resultSettings,
  // An agent may measure before it is registered, and a collector may be offline for a week.
  beforeRegistrationDays: setting.number(
    'INGEST_BEFORE_REGISTRATION_DAYS',
    'Results may be this many days older than the registration or first metadata of their agent, whichever is earlier.',
    7,
  ),
};

/** Limits of the process. */
const processSettings = {
  // Four inserts per second and test make 240 parts per minute, which ClickHouse merges easily.
  batchMs: setting.number(
    'INGEST_BATCH_MS',
    'Minimum time between two inserts of small requests into one test, in milliseconds.',
    250,
  ),
  // Two organisations can each send a body of the maximum size at the same time.
  maxBufferedBytes: setting.number(
    'INGEST_MAX_BUFFERED_BYTES',
    'Maximum memory for the bodies of requests, counted as three bytes per byte; an organisation gets at most half. At least 7 times INGEST_MAX_DECODED_BYTES.',
    448 * mebibyte,
    1,
  ),
  queueMs: setting.number(
    'INGEST_QUEUE_MS',
    'How long a request over a limit is queued before the response is 429 or 503, in milliseconds.',
    5_000,
  ),
  // 1,000 small requests per second wait for the next insert, some of them for a slow one.
  maxRunningPosts: setting.number(
    'INGEST_MAX_RUNNING',
    'Maximum number of concurrent requests with results per organisation and process.',
    1_000,
    1,
  ),
  maxRunningInserts: setting.number(
    'INGEST_MAX_INSERTS',
    'Maximum number of concurrent inserts into ClickHouse per process.',
    4,
    1,
    10,
  ),
  insertTimeoutMs: setting.number(
    'INGEST_INSERT_TIMEOUT_MS',
    'Timeout of an insert into ClickHouse, in milliseconds. After it the response is 503.',
    60_000,
    1,
  ),
  idempotencyHours: setting.number(
    'INGEST_IDEMPOTENCY_HOURS',
    'How long the response to a request with an Idempotency-Key is kept, in hours.',
    24,
    1,
    720,
  ),
  maxIdempotencyKeys: setting.number(
    'INGEST_MAX_IDEMPOTENCY_KEYS',
    'Maximum number of kept responses per organisation; beyond it the oldest are removed.',
    100_000,
    1,
  ),
};

export const ingestSettings = {
  ...commonSettings,
  ...serverSettings,
  ...requestSettings,
  ...processSettings,
  // Agents send small requests all the time: 2,000 per second.
  rateLimitTokenPerMinute: setting.number(
    'INGEST_RATE_LIMIT_TOKEN_PER_MINUTE',
    'Maximum number of requests with results per minute with a token; 0: no limit.',
    120_000,
  ),
  minBodyBytesPerSecond: setting.number(
    'INGEST_MIN_BYTES_PER_SECOND',
    'Minimum speed of a body with results over 10 seconds, in bytes per second; 0: no limit. Below it the response is 408.',
    1_000,
  ),
  port: setting.port('INGEST_PORT', 'Port of the ingestion interface.', 8082),
  opsPort: setting.port(
    'INGEST_OPS_PORT',
    'Port of health, readiness and metrics of the ingestion service.',
    9082,
  ),
  lmapRegistryFile: setting.text(
    'INGEST_LMAP_REGISTRY',
    'File that maps LMAP registry entries to tests; empty: urn:netpanel:test:<key> for every test.',
  ),
};

export type IngestConfig = SettingValues<typeof ingestSettings>;

export function readIngestConfig(environment: Environment = process.env): IngestConfig {
  return readSettings(ingestSettings, environment, [tlsPairProblem, bufferProblem]);
}

/** Otherwise the largest body would never fit into the memory of its organisation. */
function bufferProblem({
  maxBufferedBytes,
  maxDecodedBytes,
}: Partial<IngestConfig>): string | undefined {
  if (maxBufferedBytes === undefined || maxDecodedBytes === undefined) return undefined;
  if (maxBufferedBytes >= 7 * maxDecodedBytes) return undefined;
  return `INGEST_MAX_BUFFERED_BYTES must be at least 7 times INGEST_MAX_DECODED_BYTES, that is ${7 * maxDecodedBytes}`;
}
