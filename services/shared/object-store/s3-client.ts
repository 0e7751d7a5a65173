import { S3Client } from '@aws-sdk/client-s3';

/** How to reach S3, or a store with its interface. */
export interface S3Connection {
  readonly s3Region: string;
  readonly s3Endpoint: string;
  /** PEM; empty: the public authorities. */
  readonly s3Ca: string;
  readonly s3PathStyle: boolean;
  readonly s3Checksums: 'when_supported' | 'when_required';
  readonly s3AccessKeyId: string;
  readonly s3SecretAccessKey: string;
}

export function s3Client(settings: S3Connection): S3Client {
  const { s3Endpoint, s3Ca, s3AccessKeyId, s3SecretAccessKey } = settings;
  const checksums = settings.s3Checksums === 'when_supported' ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED';
  return new S3Client({
    region: settings.s3Region,
    forcePathStyle: settings.s3PathStyle,
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    ...(s3Endpoint === '' ? {} : { endpoint: s3Endpoint }),
    ...(s3AccessKeyId === ''
      ? {}
      : { credentials: { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey } }),
    // Without timeouts, a store that hangs would block an export or a load forever. socketTimeout is an idle
    // timeout: requestTimeout only logs a warning, and a large part may take long.
    requestHandler: {
      connectionTimeout: 10_000,
      socketTimeout: 20_000,
      ...(s3Ca === '' ? {} : { httpsAgent: { ca: s3Ca } }),
    },
  });
}
