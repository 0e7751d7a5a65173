import { SettingsError, type SettingValues } from '../../shared/config/read-settings.ts';
import { setting } from '../../shared/config/setting.ts';

/** Exports: what they may cost, how long they are kept, and the store that holds them. */
export const exportSettings = {
  exportStore: setting.oneOf(
    'EXPORT_STORE',
    'Where exports are kept: a folder of this machine, or S3.',
    ['folder', 's3'] as const,
    'folder',
  ),
  exportFolder: setting.text('EXPORT_FOLDER', 'The folder, when exports are kept in one.', {
    fallback: 'exports',
  }),
  publicUrl: setting.text(
    'PUBLIC_URL',
    'Address of the data interface as callers see it, for links; empty: HOST and QUERY_PORT.',
    { fallback: '' },
  ),
  // No default, since a secret that everybody knows would open every export.
  exportLinkSecret: setting.text(
    'EXPORT_LINK_SECRET',
    'Signs links to exports, the same for all replicas; empty: a new one at every start.',
    { fallback: '', secret: true },
  ),
  exportKeepMs: setting.number(
    'EXPORT_KEEP_MS',
    'How long an export and its link live, in milliseconds; with S3 at most 7 days.',
    86_400_000,
    1_000,
  ),
  // Well under the 60 seconds after which most proxies give up on an answer.
  exportWaitMs: setting.number(
    'EXPORT_WAIT_MS',
    'How long a call waits for its file before it answers 202, in milliseconds.',
    20_000,
  ),
  exportTimeoutMs: setting.number(
    'EXPORT_TIMEOUT_MS',
    'How long one export may run, in milliseconds.',
    3_600_000,
    1,
  ),
  exportMaxRows: setting.number(
    'EXPORT_MAX_ROWS',
    'Most rows one export may have.',
    500_000_000,
    1,
  ),
  maxRunningExports: setting.number(
    'MAX_RUNNING_EXPORTS',
    'Exports of one organisation that run at once, over all replicas.',
    3,
    1,
  ),
  exportHeartbeatMs: setting.number(
    'EXPORT_HEARTBEAT_MS',
    'How often a running export says so; after ten times that in silence it has failed.',
    2_000,
    100,
  ),
  exportEscapeFormulas: setting.flag(
    'EXPORT_ESCAPE_FORMULAS',
    "Puts a ' before texts in CSV that a spreadsheet would take for a formula.",
    false,
  ),
  s3Bucket: setting.text('S3_BUCKET', 'Bucket of the exports, when they are kept in S3.', {
    fallback: '',
  }),
  s3Prefix: setting.text('S3_PREFIX', 'What the keys of exports start with, such as `netpanel/`.', {
    fallback: '',
  }),
  s3Region: setting.text('S3_REGION', 'Region of the bucket.', { fallback: 'us-east-1' }),
  s3Endpoint: setting.text('S3_ENDPOINT', 'Address of a store that speaks S3; empty: AWS.', {
    fallback: '',
  }),
  s3PathStyle: setting.flag(
    'S3_PATH_STYLE',
    'Whether the bucket is part of the path instead of the host, as most stores but AWS want it.',
    false,
  ),
  // The checksums the client sends of its own accord break some stores that speak S3.
  s3Checksums: setting.oneOf(
    'S3_CHECKSUMS',
    'When checksums are sent: always where there are any, or only where S3 demands one.',
    ['when_supported', 'when_required'] as const,
    'when_supported',
  ),
  s3AccessKeyId: setting.text('S3_ACCESS_KEY_ID', 'Key for S3; empty: the usual AWS chain.', {
    fallback: '',
  }),
  s3SecretAccessKey: setting.text('S3_SECRET_ACCESS_KEY', 'Secret of that key.', {
    fallback: '',
    secret: true,
  }),
};

export type ExportConfig = SettingValues<typeof exportSettings>;

export function refuseStoreWithoutBucket({ exportStore, s3Bucket }: ExportConfig): void {
  if (exportStore === 's3' && s3Bucket === '') {
    throw new SettingsError(['S3_BUCKET is not set, and EXPORT_STORE is s3']);
  }
}
