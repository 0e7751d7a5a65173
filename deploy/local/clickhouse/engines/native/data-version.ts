import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Rejects a data folder written by a newer engine, which this one might misread. Otherwise records
 * the version of this engine in it. A version is `26.7.3`.
 */
export async function claimDataFolder(dataDir: string, version: string): Promise<void> {
  const file = join(dataDir, 'engine-version');
  const writtenBy = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (writtenBy !== '' && isNewer(writtenBy, version)) {
    throw new Error(
      `${dataDir} was written by ClickHouse ${writtenBy}, but this engine is ${version}. ` +
        'Check out the newer version again, or remove the local data with make clean.',
    );
  }
  await writeFile(file, `${version}\n`);
}

// Releases with the same first two numbers can read each other's data.
function isNewer(a: string, b: string): boolean {
  const [yearA = 0, monthA = 0] = a.split('.').map(Number);
  const [yearB = 0, monthB = 0] = b.split('.').map(Number);
  return yearA > yearB || (yearA === yearB && monthA > monthB);
}
