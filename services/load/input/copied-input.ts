import { createReadStream, createWriteStream, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { InputFile } from './input-files.ts';

/** The files, with standard input copied to the disk, so that it can be checked before anything is loaded. */
export async function copiedInput(files: readonly InputFile[]): Promise<readonly InputFile[]> {
  if (!files.some(({ path }) => path === '-')) return files;
  const folder = mkdtempSync(join(tmpdir(), 'netpanel-'));
  const fd = openSync(join(folder, 'stdin'), 'wx+', 0o600);
  // Without a name, the file is gone when the process ends, however it ends.
  rmSync(folder, { recursive: true });
  await pipeline(process.stdin, createWriteStream('', { fd, autoClose: false }));
  const open = () =>
    createReadStream('', { fd, start: 0, autoClose: false, highWaterMark: 1024 * 1024 });
  return files.map((file) => (file.path === '-' ? { ...file, open } : file));
}
