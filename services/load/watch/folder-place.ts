import type { BigIntStats } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  FileChangedError,
  type FoundFile,
  isTemporary,
  type WatchedPlace,
} from './watched-place.ts';

/** A folder with its subfolders. `folder` is an absolute path. */
export function folderPlace(folder: string): WatchedPlace {
  const pathOf = ({ name }: Pick<FoundFile, 'name'>) => join(folder, name);
  return {
    name: folder,
    isFolder: true,
    list: async () => {
      const found: FoundFile[] = [];
      await addFilesBelow(folder, '', found);
      return found;
    },
    open: (file) => openVersion(file, pathOf(file)),
    pathOf,
  };
}

async function addFilesBelow(folder: string, prefix: string, found: FoundFile[]): Promise<void> {
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
    const name = prefix + entry.name;
    if (isTemporary(name)) continue;
    if (entry.isDirectory()) {
      await addFilesBelow(folder, `${name}/`, found).catch(ignoreUnreadable);
      continue;
    }
    const stats = await stat(join(folder, name), { bigint: true }).catch(() => undefined);
    if (stats?.isFile() === true) found.push({ name, ...describe(stats) });
  }
}

/** Such as lost+found; or the subfolder was removed meanwhile. */
function ignoreUnreadable(error: unknown): void {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EACCES' && code !== 'ENOENT') throw error;
}

function describe({ size, mtimeNs, mtime }: BigIntStats): Omit<FoundFile, 'name'> {
  return { version: `${size}-${mtimeNs}`, sizeBytes: Number(size), modifiedAt: mtime };
}

async function openVersion({ name, version }: FoundFile, path: string): Promise<Readable> {
  const handle = await open(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new FileChangedError(`${name} was removed`);
  });
  const now = describe(await handle.stat({ bigint: true }));
  if (now.version === version) return handle.createReadStream({ highWaterMark: 1024 * 1024 });
  await handle.close();
  throw new FileChangedError(`${name} was changed`);
}
