import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { exportSettings } from '../../query/export/export-settings.ts';
import { openObjectStore } from '../../query/store/open-object-store.ts';
import { readSettings } from '../../shared/config/read-settings.ts';
import { cliEnvironment } from '../config.ts';

/** Writes a small file to the object store, reads its size, and deletes it. */
export async function objectStoreState(): Promise<string> {
  const settings = readSettings(exportSettings, cliEnvironment());
  const store = await openObjectStore(settings, () => 'no link is requested');
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
  return `${store.name} is writable`;
}
