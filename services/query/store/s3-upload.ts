import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { writeInBlocks } from './write-in-blocks.ts';

/** Where an object goes and what is sent with it. */
export interface NewObject {
  readonly Bucket: string;
  readonly Key: string;
  readonly ContentType: string;
  readonly ContentDisposition: string;
}

// With 5 MiB, the minimum, the 10,000 parts of an upload end at 48.8 GiB.
const partBytes = 16 * 1024 * 1024;
// Lets ClickHouse go on while a part is sent, without a second part in memory. `Upload` of
// @aws-sdk/lib-storage allocates and copies each part anew: 120 MB for a file of 224 MB.
const aheadBytes = 4 * 1024 * 1024;

/** Uploads a file of any size. The object appears only when complete; after an error no part is left. */
export async function s3Upload(
  client: S3Client,
  object: NewObject,
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  const { Bucket, Key } = object;
  const parts: CompletedPart[] = [];
  let UploadId: string | undefined;
  try {
    await writeInBlocks(pieces, { blockBytes: partBytes, aheadBytes }, async (Body) => {
      // Shorter than a part: this is the whole file.
      if (UploadId === undefined && Body.length < partBytes) {
        await client.send(new PutObjectCommand({ ...object, Body }));
        return;
      }
      UploadId ??= await beginUpload(client, object);
      const PartNumber = parts.length + 1;
      const part = { Bucket, Key, UploadId, PartNumber, Body };
      const { ETag, ChecksumCRC32 } = await client.send(new UploadPartCommand(part));
      parts.push({ PartNumber, ETag, ChecksumCRC32 });
    });
    if (UploadId === undefined) return;
    const MultipartUpload = { Parts: parts };
    await client.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }),
    );
  } catch (error) {
    if (UploadId !== undefined) {
      const abort = client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      // The sweeper aborts it later; the first error is the one to report.
      await abort.catch(() => undefined);
    }
    throw error;
  }
}

async function beginUpload(client: S3Client, object: NewObject): Promise<string> {
  const checksums = await client.config.requestChecksumCalculation();
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({
      ...object,
      ...(checksums === 'WHEN_SUPPORTED' ? { ChecksumAlgorithm: 'CRC32' } : {}),
    }),
  );
  if (UploadId === undefined) throw new Error('S3 began an upload without an UploadId');
  return UploadId;
}
