import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../command.ts';

export interface FolderAddress {
  readonly kind: 'folder';
  /** The absolute path without symbolic links, so that a place has one name. */
  readonly name: string;
}

export interface S3Address {
  readonly kind: 's3';
  /** `s3://bucket/prefix/` */
  readonly name: string;
  readonly bucket: string;
  /** Empty, or ends with a slash: `in` must not find `invoices/1.csv`. */
  readonly prefix: string;
}

/** Parses `DIR` or `s3://bucket/prefix`. */
export function placeAddress(text: string): FolderAddress | S3Address {
  if (!/^s3:/i.test(text)) {
    const path = resolve(text);
    return { kind: 'folder', name: existsSync(path) ? realpathSync(path) : path };
  }
  const [, bucket, path = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/i.exec(text) ?? [];
  if (bucket === undefined) {
    throw new UsageError(`"${text}" must be an address such as s3://bucket/prefix`);
  }
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`;
  return { kind: 's3', name: `s3://${bucket}/${prefix}`, bucket, prefix };
}
