import { S3ServiceException } from '@aws-sdk/client-s3';

/**
 * The reason why a bucket is not usable. A response to HEAD has no body, so that the S3 client knows only the
 * status: its own message is `UnknownError`.
 */
export function bucketError(bucket: string, error: unknown): unknown {
  if (!(error instanceof S3ServiceException)) return error;
  const status = error.$metadata.httpStatusCode;
  const reason = status === undefined ? undefined : reasons[status];
  const details =
    reason ?? `the object store answered with status ${status ?? 'unknown'} (${error.name})`;
  return new Error(`bucket "${bucket}": ${details}`, { cause: error });
}

const reasons: Readonly<Record<number, string>> = {
  301: 'it is in another region than S3_REGION (301)',
  400: 'the object store refused the request (400): check S3_REGION and the access key',
  401: 'the access key is not valid (401): check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  403: 'access was refused (403): check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and the rights of the key',
  404: 'it does not exist (404): create it or correct S3_BUCKET',
};
