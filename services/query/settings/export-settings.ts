import type { SettingValues } from '../../shared/config/read-settings.ts';
import { setting } from '../../shared/config/setting.ts';

/** Settings of exports: limits, retention and object store. */
export const exportSettings = {
  exportStore: setting.oneOf(
    'EXPORT_STORE',
    'Object store of exports: a local folder, or S3.',
    ['folder', 's3'] as const,
    'folder',
  ),
  exportFolder: setting.text(
    'EXPORT_FOLDER',
    'Folder of exports, if EXPORT_STORE is folder.',
    'exports',
  ),
  publicUrl: setting.text(
    'PUBLIC_URL',
    'Public URL of the data interface, for links; empty: built from HOST and QUERY_PORT, unless HOST is a wildcard such as 0.0.0.0.',
  ),
  // No default: a publicly known secret would give access to every export.
  exportLinkSecret: setting.secret(
    'EXPORT_LINK_SECRET',
    'Secret that signs export links, at least 32 characters such as those of `openssl rand -hex 32`, the same for all replicas; empty: random at every start.',
  ),
  exportKeepMs: setting.number(
    'EXPORT_KEEP_MS',
    'How long the file of an export and its link are kept after the export is complete, in milliseconds; with S3 at most 7 days.',
    86_400_000,
    1_000,
  ),
  // Less than 60 seconds, the default timeout of most proxies.
  exportWaitMs: setting.number(
    'EXPORT_WAIT_MS',
    'How long a request waits for its file, in milliseconds; after that the response has a link, and a download waits for the file.',
    20_000,
  ),
  // Less than 60 seconds, the default timeout of most proxies.
  exportLinkWaitMs: setting.number(
    'EXPORT_LINK_WAIT_MS',
    'How long a download waits for the file of a running export before the response is 503, in milliseconds.',
    50_000,
    1,
    2 ** 31 - 1,
  ),
  // Enough for a download manager with several connections per file. A waiting download costs a socket.
  maxWaitingDownloads: setting.number(
    'MAX_WAITING_DOWNLOADS',
    'Maximum number of downloads per organisation and process that wait for a running export.',
    20,
    1,
  ),
  exportTimeoutMs: setting.number(
    'EXPORT_TIMEOUT_MS',
    'Timeout of an export, in milliseconds.',
    3_600_000,
    1,
  ),
  exportMaxRows: setting.number(
    'EXPORT_MAX_ROWS',
    'Maximum number of rows in an export.',
    500_000_000,
    1,
  ),
  maxRunningExports: setting.number(
    'MAX_RUNNING_EXPORTS',
    'Maximum number of concurrent exports per organisation, over all replicas.',
    3,
    1,
  ),
  // Each needs a query in ClickHouse for up to EXPORT_TIMEOUT_MS: docs/scale.md.
  maxRunningExportsTotal: setting.number(
    'MAX_RUNNING_EXPORTS_TOTAL',
    'Maximum number of concurrent exports of all organisations, over all replicas.',
    40,
    1,
  ),
  // EXPORT_MAX_ROWS rows of 100 bytes.
  exportMaxBytesPerOrganisation: setting.number(
    'EXPORT_MAX_BYTES_PER_ORGANISATION',
    'Maximum size of the export files of an organisation until they expire or are deleted, in bytes.',
    53_687_091_200,
    1,
  ),
  exportHeartbeatMs: setting.number(
    'EXPORT_HEARTBEAT_MS',
    'Heartbeat interval of running exports, in milliseconds; an export has failed after ten missed heartbeats.',
    2_000,
    100,
  ),
  exportEscapeFormulas: setting.flag(
    'EXPORT_ESCAPE_FORMULAS',
    "Whether to add a ' before CSV text that a spreadsheet would run as a formula.",
    false,
  ),
  s3Bucket: setting.text('S3_BUCKET', 'Bucket of exports, if EXPORT_STORE is s3.'),
  s3Prefix: setting.text('S3_PREFIX', 'Prefix of the keys of exports, such as `netpanel/`.'),
  s3Region: setting.text('S3_REGION', 'Region of the bucket.', 'us-east-1'),
  s3Endpoint: setting.text('S3_ENDPOINT', 'URL of an S3-compatible store; empty: AWS.'),
  s3Ca: setting.certificates(
    'S3_CA_FILE',
    "Certificates (PEM) of the authorities that sign the store's certificate; empty: the public ones.",
  ),
  s3PathStyle: setting.flag(
    'S3_PATH_STYLE',
    'Whether the bucket is in the path instead of the host name; most stores except AWS need it.',
    false,
  ),
  // The checksums that the S3 client sends by default break some S3-compatible stores.
  s3Checksums: setting.oneOf(
    'S3_CHECKSUMS',
    'When to send checksums: with every request that supports them, or only where S3 requires one.',
    ['when_supported', 'when_required'] as const,
    'when_supported',
  ),
  s3AccessKeyId: setting.text(
    'S3_ACCESS_KEY_ID',
    'Access key id for S3; empty: the default credential chain of AWS.',
  ),
  s3SecretAccessKey: setting.password('S3_SECRET_ACCESS_KEY', 'Secret access key for S3.', ''),
};

export type ExportConfig = SettingValues<typeof exportSettings>;

export function s3BucketProblem({
  exportStore,
  s3Bucket,
}: Partial<ExportConfig>): string | undefined {
  if (exportStore !== 's3' || s3Bucket !== '') return undefined;
  return 'S3_BUCKET must be set if EXPORT_STORE is s3';
}
