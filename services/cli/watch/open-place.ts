import { statSync } from 'node:fs';
import { exportSettings } from '../../query/export/export-settings.ts';
import { readSettings } from '../../shared/config/read-settings.ts';
import { cliEnvironment } from '../config.ts';
import { folderPlace } from './folder-place.ts';
import { placeAddress } from './place-address.ts';
import type { WatchedPlace } from './watched-place.ts';

/** Opens a folder or `s3://bucket/prefix`. The settings S3_… are those of exports. */
export async function openPlace(text: string): Promise<WatchedPlace> {
  const address = placeAddress(text);
  if (address.kind === 's3') {
    // The S3 client is large: load it only if needed.
    const { s3Place } = await import('./s3-place.ts');
    return s3Place(address, readSettings(exportSettings, cliEnvironment()));
  }
  if (!(statSync(address.name, { throwIfNoEntry: false })?.isDirectory() ?? false)) {
    throw new Error(`Folder not found: ${text}`);
  }
  return folderPlace(address.name);
}
