import { randomBytes } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { access, constants, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ByteRange, ObjectStore, StoredFile } from './object-store.ts';

interface Options {
  readonly folder: string;
  /** Signs a link to this service, which serves the files of the folder. */
  readonly signedLink: (key: string, expiresAt: Date) => string;
}

/** Stores files in a folder. Files appear only when complete and synced to disk. */
export function folderStore({ folder, signedLink }: Options): ObjectStore {
  const root = resolve(folder);
  return {
    name: `folder:${root}`,
    bucket: basename(root),
    keyPrefix: '',
    check,
    write,
    sizeOf,
    read: (key: string, range?: ByteRange) =>
      Promise.resolve(
        createReadStream(
          pathOf(key),
          range === undefined ? {} : { start: range.first, end: range.last },
        ),
      ),
    link: ({ key }: StoredFile, expiresAt: Date) => Promise.resolve(signedLink(key, expiresAt)),
    discard,
    discardPartial,
    unfinished,
  };

  // Creates the folder if there has been no export yet.
  async function check(): Promise<void> {
    await mkdir(root, { recursive: true, mode: folderMode });
    await access(root, constants.W_OK | constants.X_OK);
  }

  async function write(
    { key }: StoredFile,
    chunks: AsyncIterable<Buffer>,
    signal: AbortSignal,
  ): Promise<void> {
    const path = pathOf(key);
    // A name of its own: a process that was thought to be lost may still write the same file.
    const partialPath = `${path}.${randomBytes(4).toString('hex')}.partial`;
    await mkdir(dirname(path), { recursive: true, mode: folderMode });
    // Opened before the stream, which would otherwise still create the file after it was removed below.
    const file = await open(partialPath, 'wx', fileMode);
    try {
      // `flush` syncs the file to disk, so that after a power failure the name exists only with its
      // content.
      const stream = file.createWriteStream({ flush: true, highWaterMark: writeBufferBytes });
      await pipeline(chunks, stream, { signal });
      await rename(partialPath, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(partialPath, { force: true });
      throw error;
    }
  }

  async function sizeOf(key: string): Promise<number | undefined> {
    try {
      const { size } = await stat(pathOf(key));
      return size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async function discard(key: string): Promise<void> {
    await rm(pathOf(key), { force: true });
    await discardPartial(key);
  }

  async function discardPartial(key: string): Promise<void> {
    const path = pathOf(key);
    for (const { name } of await entriesOf(dirname(path), false)) {
      if (name.replace(partial, '') !== basename(path) || !partial.test(name)) continue;
      await rm(join(dirname(path), name), { force: true });
    }
  }

  async function* unfinished(): AsyncGenerator<string> {
    for (const entry of await entriesOf(root, true)) {
      if (!entry.isFile() || !partial.test(entry.name)) continue;
      const path = relative(root, join(entry.parentPath, entry.name));
      yield path.replace(partial, '').split(sep).join('/');
    }
  }

  function pathOf(key: string): string {
    const path = resolve(root, key);
    if (!path.startsWith(root + sep)) throw new Error(`${key} is outside of the export folder`);
    return path;
  }
}

/** `a.csv.0b1c2d3e.partial`; releases before 0.2.0 wrote `a.csv.partial`. */
const partial = /(?:\.[0-9a-f]{8})?\.partial$/;

// Exports contain household data. Other users of the machine get them by link only.
const fileMode = 0o600;
const folderMode = 0o700;

/** Chunks that arrive during a write are combined into the next one. */
const writeBufferBytes = 1024 * 1024;

async function entriesOf(folder: string, recursive: boolean): Promise<Dirent[]> {
  try {
    return await readdir(folder, { recursive, withFileTypes: true });
  } catch (error) {
    // The first export creates the folder.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
