import { tracingSettings } from '../tracing/tracing-settings.ts';
import { SettingsError } from './read-settings.ts';
import { setting } from './setting.ts';

/** What both services and the command line need, each with its one meaning. */
export const commonSettings = {
  databaseUrl: setting.url(
    'DATABASE_URL',
    'Postgres, as postgres://user:password@host:port/name.',
    {
      secret: true,
    },
  ),
  databasePoolMax: setting.number(
    'DATABASE_POOL_MAX',
    'Postgres connections a process holds.',
    10,
    1,
  ),
  clickhouseUrl: setting.url('CLICKHOUSE_URL', 'ClickHouse HTTP interface.'),
  clickhouseDatabase: setting.text('CLICKHOUSE_DATABASE', 'Database of the test tables.', {
    fallback: 'netpanel',
  }),
  clickhouseUser: setting.text('CLICKHOUSE_USER', 'ClickHouse user.', { fallback: 'default' }),
  clickhousePassword: setting.text('CLICKHOUSE_PASSWORD', 'Password of that user.', {
    fallback: '',
    secret: true,
  }),
  clickhouseCluster: setting.name(
    'CLICKHOUSE_CLUSTER',
    'ClickHouse cluster whose nodes hold the tables; empty for a single server.',
    '',
  ),
  logLevel: setting.oneOf(
    'LOG_LEVEL',
    'Least severe level that is logged.',
    ['error', 'warn', 'info', 'debug'] as const,
    'info',
  ),
};

/** What every process that listens needs beside its own ports. */
export const serverSettings = {
  host: setting.text('HOST', 'Address the services listen on.', { fallback: '127.0.0.1' }),
  stopGraceMs: setting.number(
    'STOP_GRACE_MS',
    'How long a stop waits for requests under way, in milliseconds.',
    25_000,
  ),
  // Shorter than a caller waits, longer than any change of a panel takes.
  databaseTimeoutMs: setting.number(
    'DATABASE_TIMEOUT_MS',
    'How long an answer of Postgres may take before its connection counts as lost, in milliseconds.',
    30_000,
    1,
  ),
  tokenCacheMs: setting.number(
    'TOKEN_CACHE_MS',
    'How long a token is trusted without asking Postgres again: a revocation takes this long.',
    3_000,
  ),
  maxBodyBytes: setting.number('MAX_BODY_BYTES', 'Largest request body accepted.', 1_048_576, 1),
  ...tracingSettings,
  tlsCertFile: setting.text(
    'TLS_CERT_FILE',
    'Certificate and its chain (PEM): the interface is served by HTTPS; empty: by HTTP.',
    { fallback: '' },
  ),
  tlsKeyFile: setting.text('TLS_KEY_FILE', 'Private key of that certificate (PEM).', {
    fallback: '',
  }),
};

export interface TlsFiles {
  readonly tlsCertFile: string;
  readonly tlsKeyFile: string;
}

/** Half of a pair is a mistake that must not end in plain HTTP. */
export function requireTlsPair({ tlsCertFile, tlsKeyFile }: TlsFiles): void {
  if (tlsCertFile === '' && tlsKeyFile !== '') {
    throw new SettingsError(['TLS_CERT_FILE is not set, and TLS_KEY_FILE is']);
  }
  if (tlsKeyFile === '' && tlsCertFile !== '') {
    throw new SettingsError(['TLS_KEY_FILE is not set, and TLS_CERT_FILE is']);
  }
}
