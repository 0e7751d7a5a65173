import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { folderStore } from './folder-store.ts';
import type { ObjectStore } from './object-store.ts';
import type { S3Settings } from './s3-store.ts';
import type { Dependency } from '../http/dependency.ts';

interface StoreSettings extends S3Settings {
  readonly exportStore: 'folder' | 's3';
  readonly exportFolder: string;
}

export async function openObjectStore(
  settings: StoreSettings,
  signedLink: (key: string, expiresAt: Date) => string,
): Promise<ObjectStore> {
  if (settings.exportStore === 'folder') {
    return folderStore({ folder: settings.exportFolder, signedLink });
  }
  // The S3 client is large: load it only if needed.
  const { s3Store } = await import('./s3-store.ts');
  return s3Store(settings);
}

/** The object store of exports. Not required: everything else works without it. */
export function objectStoreDependency(store: ObjectStore): Dependency {
  return {
    name: 'objectStore',
    required: false,
    check: async () => {
      await store.check();
      // No lag: folders and S3 have read-after-write consistency.
      return { kind: store.name.split(':', 1)[0], lagSeconds: 0 };
    },
  };
}

/** Writes a small file, reads its size, and deletes it. Throws if the store does not have it. */
export async function tryObjectStore(store: ObjectStore): Promise<void> {
  const key = `${store.keyPrefix}netpanel-doctor-${randomUUID()}`;
  const content = Buffer.from('written by netpanel doctor\n');
  try {
    await store.write(
      { key, contentType: 'text/plain', fileName: 'doctor.txt' },
      Readable.from([content]),
      AbortSignal.timeout(10_000),
    );
    const size = await store.sizeOf(key);
    if (size !== content.length)
      throw new Error(`the file has ${size} bytes after writing ${content.length}`);
  } finally {
    await store.discard(key);
  }
}
