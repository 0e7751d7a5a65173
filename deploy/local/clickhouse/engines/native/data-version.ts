import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Refuses a data folder that a newer engine has written, since this one might read it wrongly, and
 * otherwise notes that this engine writes it now. Versions are such as 26.7.3.
 */
export async function claimDataFolder(dataDir: string, version: string): Promise<void> {
  const file = join(dataDir, 'engine-version');
  const writtenBy = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (writtenBy !== '' && isNewer(writtenBy, version)) {
    throw new Error(
      `${dataDir} was written by ClickHouse ${writtenBy}, and this engine is ${version}. ` +
        'Check out the newer version again, or remove the local data with make clean.',
    );
  }
  await writeFile(file, `${version}\n`);
}

// Releases with the same first two numbers read each other's data.
function isNewer(a: string, b: string): boolean {
  const [yearA = 0, monthA = 0] = a.split('.').map(Number);
  const [yearB = 0, monthB = 0] = b.split('.').map(Number);
  return yearA > yearB || (yearA === yearB && monthA > monthB);
}
