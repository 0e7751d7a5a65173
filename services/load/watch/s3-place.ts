import { Readable } from 'node:stream';
import { GetObjectCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { s3Client, type S3Connection } from '../../shared/object-store/s3-client.ts';
import {
  FileChangedError,
  type FoundFile,
  isTemporary,
  type WatchedPlace,
} from './watched-place.ts';

export interface S3Address {
  /** `s3://bucket/prefix/` */
  readonly name: string;
  readonly bucket: string;
  /** Empty, or ends with a slash: `in` must not find `invoices/1.csv`. */
  readonly prefix: string;
}

/** The objects of a bucket below a prefix. An object appears only when its upload is complete. */
export function s3Place(
  { bucket, prefix, name }: S3Address,
  connection: S3Connection,
): WatchedPlace {
  const client = s3Client(connection);
  return {
    name,
    isFolder: false,
    list: () => listObjects(client, { bucket, prefix }),
    open: (file) => openVersion(client, bucket, prefix + file.name, file),
    pathOf: (file) => name + file.name,
  };
}

async function listObjects(
  client: S3Client,
  { bucket: Bucket, prefix: Prefix }: Pick<S3Address, 'bucket' | 'prefix'>,
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
    for (const { Key = '', ETag = '', Size = 0, LastModified = new Date(0) } of Contents) {
      const name = Key.slice(Prefix.length);
      if (name === '' || isTemporary(name)) continue;
      found.push({ name, version: ETag, sizeBytes: Size, modifiedAt: LastModified });
    }
  }
  return found;
}

async function openVersion(
  client: S3Client,
  Bucket: string,
  Key: string,
  { name, version }: FoundFile,
): Promise<Readable> {
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, IfMatch: version }));
    if (Body instanceof Readable) return Body;
  } catch (error) {
    const { name: code } = error as Error;
    if (code === 'NoSuchKey') throw new FileChangedError(`${name} was removed`);
    if (code === 'PreconditionFailed') throw new FileChangedError(`${name} was changed`);
    throw error;
  }
  throw new Error(`${name} has no content to read`);
}
