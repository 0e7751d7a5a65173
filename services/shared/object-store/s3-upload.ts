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

/** The location and headers of an object. */
export interface NewObject {
  readonly Bucket: string;
  readonly Key: string;
  readonly ContentType: string;
  readonly ContentDisposition: string;
}

// S3 allows 10,000 parts: with the minimum of 5 MiB a file could have at most 48.8 GiB.
const partBytes = 16 * 1024 * 1024;
// Read from ClickHouse while a part is sent, without a second part in memory. `Upload` of
// @aws-sdk/lib-storage allocates and copies each part: 120 MB for a file of 224 MB.
const aheadBytes = 4 * 1024 * 1024;

/** Uploads a file of any size. The object appears only when complete. An error deletes all parts. */
export async function s3Upload(
  client: S3Client,
  object: NewObject,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  const { Bucket, Key } = object;
  const parts: CompletedPart[] = [];
  let UploadId: string | undefined;
  try {
    await writeInBlocks(chunks, { blockBytes: partBytes, aheadBytes }, async (Body) => {
      // Shorter than a part: the whole file.
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
      // If this fails, the sweeper aborts it later. Report the first error.
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
  if (UploadId === undefined) throw new Error('S3 returned no UploadId');
  return UploadId;
}
