import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../shared/errors/usage-error.ts';
import type { S3Connection } from '../../shared/object-store/s3-client.ts';
import { folderPlace } from './folder-place.ts';
import type { S3Address } from './s3-place.ts';
import type { WatchedPlace } from './watched-place.ts';

/** Opens a folder or `s3://bucket/prefix`. Throws a UsageError for other addresses. */
export async function openPlace(
  text: string,
  connection: () => S3Connection,
): Promise<WatchedPlace> {
  const address = placeAddress(text);
  if ('bucket' in address) {
    // The S3 client is large: load it only if needed.
    const { s3Place } = await import('./s3-place.ts');
    return s3Place(address, connection());
  }
  if (!(statSync(address.name, { throwIfNoEntry: false })?.isDirectory() ?? false)) {
    throw new Error(`Folder not found: ${text}`);
  }
  return folderPlace(address.name);
}

/** A folder's name is its absolute path without symbolic links, so that a place has one name. */
export function placeAddress(text: string): { readonly name: string } | S3Address {
  if (/^(?!s3:)[a-z][-+.a-z0-9]*:\/\//i.test(text)) {
    throw new UsageError(
      `"${text}" must be a folder or an address such as s3://bucket/prefix. Download files from other addresses first.`,
    );
  }
  if (!/^s3:/i.test(text)) {
    const path = resolve(text);
    return { name: existsSync(path) ? realpathSync(path) : path };
  }
  const [, bucket, path = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/i.exec(text) ?? [];
  if (bucket === undefined) {
    throw new UsageError(`"${text}" must be an address such as s3://bucket/prefix`);
  }
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`;
  return { name: `s3://${bucket}/${prefix}`, bucket, prefix };
}
