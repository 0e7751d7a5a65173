import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { exportSettings } from '../../query/export/export-settings.ts';
import { openObjectStore } from '../../query/store/open-object-store.ts';
import { readSettings } from '../../shared/config/read-settings.ts';
import { cliEnvironment } from '../config.ts';

/** Writes a small file where the exports go, looks for it, and takes it away again. */
export async function objectStoreState(): Promise<string> {
  const settings = readSettings(exportSettings, cliEnvironment());
  const store = await openObjectStore(settings, () => 'no link is asked for');
  const key = `${store.keyPrefix}netpanel-doctor-${randomUUID()}`;
  const content = Buffer.from('written by netpanel doctor\n');
  try {
    await store.write(
      { key, contentType: 'text/plain', fileName: 'doctor.txt' },
      Readable.from([content]),
      AbortSignal.timeout(10_000),
    );
    const size = await store.sizeOf(key);
    if (size !== content.length) throw new Error('what was written could not be read back');
  } finally {
    await store.discard(key);
  }
  return `${store.name} is writable`;
}
