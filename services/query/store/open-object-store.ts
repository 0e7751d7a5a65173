import { folderStore } from './folder-store.ts';
import type { ObjectStore } from './object-store.ts';
import { type S3Settings, s3Store } from './s3-store.ts';

interface StoreSettings extends S3Settings {
  readonly exportStore: 'folder' | 's3';
  readonly exportFolder: string;
}

export function openObjectStore(
  settings: StoreSettings,
  signedLink: (key: string, expiresAt: Date) => string,
): ObjectStore {
  return settings.exportStore === 's3'
    ? s3Store(settings)
    : folderStore({ folder: settings.exportFolder, signedLink });
}
