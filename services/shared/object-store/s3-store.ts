import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type MultipartUpload,
  NotFound,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ByteRange, ObjectStore, StoredFile } from './object-store.ts';
import { s3Client, type S3Connection } from './s3-client.ts';
import { s3Upload } from './s3-upload.ts';

export interface S3Settings extends S3Connection {
  readonly s3Bucket: string;
  readonly s3Prefix: string;
}

// The maximum of S3.
const maxLinkSeconds = 7 * 24 * 3600;

/** Stores files in a bucket. An object appears only when its upload is complete. */
export function s3Store(settings: S3Settings): ObjectStore {
  const client = s3Client(settings);
  const Bucket = settings.s3Bucket;
  return {
    name: `s3:${Bucket}/${settings.s3Prefix}`,
    bucket: Bucket,
    keyPrefix: settings.s3Prefix,
    check,
    write,
    sizeOf,
    read,
    link,
    discard,
    discardPartial,
    unfinished,
  };

  async function check(): Promise<void> {
    try {
      await client.send(new HeadBucketCommand({ Bucket }), {
        abortSignal: AbortSignal.timeout(5_000),
      });
    } catch (error) {
      throw bucketError(Bucket, error);
    }
  }

  // The signal is not used here: it ends the chunks, and then we wait for the part that is being sent.
  // Aborting that request could leave the part in the bucket.
  function write(file: StoredFile, chunks: AsyncIterable<Buffer>): Promise<void> {
    const object = {
      Bucket,
      Key: file.key,
      ContentType: file.contentType,
      ContentDisposition: `attachment; filename="${file.fileName}"`,
    };
    return s3Upload(client, object, chunks);
  }

  async function sizeOf(key: string): Promise<number | undefined> {
    try {
      const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key: key }));
      return ContentLength;
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  async function read(key: string, range?: ByteRange): Promise<Readable> {
    const { Body } = await client.send(
      new GetObjectCommand({
        Bucket,
        Key: key,
        ...(range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` }),
      }),
    );
    if (!(Body instanceof Readable)) throw new Error(`${key} has no content to read`);
    return Body;
  }

  function link({ key }: StoredFile, expiresAt: Date): Promise<string> {
    const secondsLeft = Math.ceil((expiresAt.getTime() - Date.now()) / 1000);
    return getSignedUrl(client, new GetObjectCommand({ Bucket, Key: key }), {
      expiresIn: Math.min(Math.max(secondsLeft, 1), maxLinkSeconds),
    });
  }

  async function discard(key: string): Promise<void> {
    await discardPartial(key);
    await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
  }

  async function discardPartial(key: string): Promise<void> {
    for await (const upload of uploads(key)) {
      if (upload.Key === key) await abort(upload);
    }
  }

  // Some stores (MinIO) list uploads only by their complete key or without a prefix, so we select ours here.
  async function* unfinished(): AsyncGenerator<string> {
    for await (const { Key } of uploads('')) {
      if (Key?.startsWith(settings.s3Prefix) === true) yield Key;
    }
  }

  async function* uploads(Prefix: string): AsyncGenerator<MultipartUpload> {
    let markers = {};
    for (;;) {
      const page = await client.send(
        new ListMultipartUploadsCommand({ Bucket, Prefix, ...markers }),
      );
      yield* page.Uploads ?? [];
      if (page.IsTruncated !== true) return;
      markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
  }

  async function abort({ Key, UploadId }: MultipartUpload): Promise<void> {
    try {
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    } catch (error) {
      // Another process has aborted it.
      if ((error as Error).name !== 'NoSuchUpload') throw error;
    }
  }
}

/**
 * The reason why a bucket is not usable. A response to HEAD has no body, so that the S3 client knows only the
 * status: its own message is `UnknownError`.
 */
function bucketError(bucket: string, error: unknown): unknown {
  if (!(error instanceof S3ServiceException)) return error;
  const status = error.$metadata.httpStatusCode;
  const reason = status === undefined ? undefined : reasons[status];
  const details =
    reason ?? `the object store responded with status ${status ?? 'unknown'} (${error.name})`;
  return new Error(`bucket "${bucket}": ${details}`, { cause: error });
}

const reasons: Readonly<Record<number, string>> = {
  301: 'it is in another region than S3_REGION (301)',
  400: 'the object store refused the request (400): check S3_REGION and the access key',
  401: 'the access key is not valid (401): check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  403: 'access was refused (403): check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and the rights of the key',
  404: 'it does not exist (404): create it or correct S3_BUCKET',
};
