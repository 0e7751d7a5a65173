import { rateLimitSettings } from './rate-limit-settings.ts';
import { setting } from './setting.ts';

/** Standard OpenTelemetry variables. The SDK reads more of them itself (OTEL_BSP_…, OTEL_SPAN_…). */
const tracingSettings = {
  tracesEndpoint: setting.text(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'Collector for traces (OTLP over HTTP), such as http://collector:4318; empty: no traces.',
  ),
  tracesServiceName: setting.text(
    'OTEL_SERVICE_NAME',
    'Name of the service in traces; empty: netpanel-query or netpanel-metadata.',
  ),
  // Read by the SDK; listed here to be documented and validated.
  tracesHeaders: setting.password(
    'OTEL_EXPORTER_OTLP_HEADERS',
    'Headers for the collector, as key=value,key=value.',
    '',
  ),
  tracesSampler: setting.oneOf(
    'OTEL_TRACES_SAMPLER',
    'Which requests are traced.',
    [
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
      'always_on',
      'always_off',
      'traceidratio',
    ] as const,
    'parentbased_always_on',
  ),
  tracesSamplerArg: setting.text(
    'OTEL_TRACES_SAMPLER_ARG',
    'Share of requests that are traced by the traceidratio samplers, from 0 to 1.',
    '1',
  ),
};

/** Settings of both services and the command line. */
export const commonSettings = {
  databaseUrl: setting.url(
    'DATABASE_URL',
    'Postgres URL, such as postgres://user:password@host:port/name.',
    {
      secret: true,
    },
  ),
  clickhouseUrl: setting.url('CLICKHOUSE_URL', 'URL of the ClickHouse HTTP interface.'),
  clickhouseDatabase: setting.text('CLICKHOUSE_DATABASE', 'ClickHouse database.', 'netpanel'),
  clickhouseUser: setting.text('CLICKHOUSE_USER', 'ClickHouse user.', 'default'),
  clickhousePassword: setting.password(
    'CLICKHOUSE_PASSWORD',
    'Password of the ClickHouse user.',
    '',
  ),
  clickhouseCa: setting.certificates(
    'CLICKHOUSE_CA_FILE',
    "Certificates (PEM) of the authorities that sign ClickHouse's certificate; empty: the public ones.",
  ),
  clickhouseCluster: setting.name(
    'CLICKHOUSE_CLUSTER',
    'Name of the ClickHouse cluster; empty: a single server.',
    '',
  ),
  // A year: long enough for a yearly rotation, short enough that a forgotten token ends.
  tokenDays: setting.number(
    'TOKEN_DAYS',
    'Days until a token that netpanel creates expires, unless --expires is given.',
    365,
    1,
    36_500,
  ),
  logLevel: setting.oneOf(
    'LOG_LEVEL',
    'Minimum level that is logged.',
    ['error', 'warn', 'info', 'debug'] as const,
    'info',
  ),
};

/** Settings of both services. */
export const serverSettings = {
  host: setting.text('HOST', 'Address the services listen on.', '127.0.0.1'),
  stopGraceMs: setting.number(
    'STOP_GRACE_MS',
    'How long a shutdown waits for running requests, in milliseconds.',
    25_000,
  ),
  // Shorter than most client timeouts, longer than a change of a whole panel.
  databaseTimeoutMs: setting.number(
    'DATABASE_TIMEOUT_MS',
    'Timeout of Postgres: a connection without a response for this long is closed, in milliseconds.',
    30_000,
    1,
  ),
  databasePoolMax: setting.number(
    'DATABASE_POOL_MAX',
    'Maximum number of Postgres connections per process for requests.',
    10,
    1,
  ),
  // Short statements: few connections serve many requests.
  databaseAccessPoolMax: setting.number(
    'DATABASE_ACCESS_POOL_MAX',
    'Maximum number of Postgres connections per process for authentication and readiness.',
    3,
    1,
  ),
  // The publisher needs three: its lock, the rows that it reads, and its other statements.
  databaseBackgroundPoolMax: setting.number(
    'DATABASE_BACKGROUND_POOL_MAX',
    'Maximum number of Postgres connections per process for work outside of requests.',
    8,
    6,
  ),
  // Far below INGEST_MAX_AHEAD_S, which allows for the clocks of agents.
  maxClockSkewMs: setting.number(
    'MAX_CLOCK_SKEW_MS',
    'Maximum clock difference from Postgres, in milliseconds; above it a service is not ready and stores no results.',
    5_000,
    1,
  ),
  tokenCacheMs: setting.number(
    'TOKEN_CACHE_MS',
    'How long tokens are cached, in milliseconds: a revoked token works for up to this long.',
    3_000,
  ),
  maxBodyBytes: setting.number(
    'MAX_BODY_BYTES',
    'Maximum size of a request body, in bytes.',
    1_048_576,
    1,
  ),
  // Ten times the largest useful request, and few enough to be parsed within milliseconds.
  maxBodyValues: setting.number(
    'MAX_BODY_VALUES',
    'Maximum number of JSON values in a request body, nested ones included.',
    10_000,
    1,
  ),
  // Slower than any mobile network; an idle connection ends after ten seconds.
  minBodyBytesPerSecond: setting.number(
    'MIN_BODY_BYTES_PER_SECOND',
    'Minimum speed of a request body over 10 seconds, in bytes per second; 0: no limit. Below it the response is 408.',
    1_000,
  ),
  clientStallMs: setting.number(
    'CLIENT_STALL_MS',
    'How long a client may read nothing of its response before the connection is closed, in milliseconds.',
    60_000,
    1,
  ),
  ...rateLimitSettings,
  ...tracingSettings,
  tlsCertFile: setting.text(
    'TLS_CERT_FILE',
    'Certificate with its chain (PEM), to serve HTTPS; empty: HTTP.',
  ),
  tlsKeyFile: setting.text('TLS_KEY_FILE', 'Private key of that certificate (PEM).'),
};

export interface TlsFiles {
  readonly tlsCertFile: string;
  readonly tlsKeyFile: string;
}

/** With only one of the two files set, the service must not fall back to HTTP. */
export function tlsPairProblem({ tlsCertFile, tlsKeyFile }: Partial<TlsFiles>): string | undefined {
  if (tlsCertFile === '' && tlsKeyFile !== '') {
    return 'TLS_CERT_FILE must be set if TLS_KEY_FILE is set';
  }
  if (tlsKeyFile === '' && tlsCertFile !== '') {
    return 'TLS_KEY_FILE must be set if TLS_CERT_FILE is set';
  }
  return undefined;
}
