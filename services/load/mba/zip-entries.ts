import { closeSync, createWriteStream, openSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromFdPromise, openPromise, type ZipFile } from 'yauzl';

/** A file in a zip archive. */
export interface ZipEntry {
  /** Path inside the archive: `201401/curr_ping_2014_01.csv`. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly open: () => Promise<Readable>;
}

/** The files of a zip archive, from its directory: nothing is read before `open`. */
export async function* zipEntries(path: string): AsyncGenerator<ZipEntry> {
  yield* entriesOf(await opened(path, openPromise(path, options)), path);
}

/**
 * The same for an archive inside another. Its directory is at its end, so it is first copied to a temporary file of up to
 * `maxBytes`. The file is unlinked at once, so it disappears even if the process is killed.
 */
export async function* zipEntriesOfStream(
  content: Readable,
  path: string,
  maxBytes: number,
): AsyncGenerator<ZipEntry> {
  const folder = await mkdtemp(join(tmpdir(), 'netpanel-zip-'));
  let fd: number;
  try {
    fd = openSync(join(folder, 'copy'), 'wx+');
  } finally {
    rmSync(folder, { recursive: true });
  }
  const copied = pipeline(
    content,
    (bytes: AsyncIterable<Buffer>) => limited(bytes, path, maxBytes),
    createWriteStream('', { fd, autoClose: false }),
  );
  const zip = copied.then(() => fromFdPromise(fd, options));
  zip.catch(() => closeSync(fd));
  yield* entriesOf(await opened(path, zip), path);
}

/** An archive of a few kilobytes may contain one of many gigabytes, which would fill the disk. */
async function* limited(
  bytes: AsyncIterable<Buffer>,
  path: string,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let copiedBytes = 0;
  for await (const chunk of bytes) {
    copiedBytes += chunk.length;
    if (copiedBytes > maxBytes) throw new ArchiveTooLarge(path, maxBytes);
    yield chunk;
  }
}

class ArchiveTooLarge extends Error {
  constructor(path: string, maxBytes: number) {
    super(
      `${path} is larger than ${maxBytes} bytes, the maximum for a zip archive inside this archive. ` +
        'If you trust it, extract the outer archive and load the folder.',
    );
  }
}

const options = { lazyEntries: true, autoClose: false } as const;

async function opened(path: string, zip: Promise<ZipFile>): Promise<ZipFile> {
  try {
    return await zip;
  } catch (error) {
    if (error instanceof ArchiveTooLarge) throw error;
    throw new Error(`${path} cannot be read as a zip archive; is it complete?`, { cause: error });
  }
}

async function* entriesOf(zip: ZipFile, archive: string): AsyncGenerator<ZipEntry> {
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName: path, uncompressedSize: sizeBytes } = entry;
      if (path.endsWith('/')) continue;
      yield { path, sizeBytes, open: () => openEntry(zip, entry, archive) };
    }
  } finally {
    zip.close();
  }
}

async function openEntry(zip: ZipFile, entry: Entry, archive: string): Promise<Readable> {
  const { fileName, compressionMethod } = entry;
  if (entry.isEncrypted()) throw new Error(`${fileName} in ${archive} is encrypted`);
  if (!entry.canDecodeFileData()) {
    throw new Error(
      `${fileName} in ${archive} has the compression method ${compressionMethod}; ` +
        'only deflate (8) and uncompressed files (0) can be read',
    );
  }
  const bytes = (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
  return Readable.from(checkedBytes(bytes, entry, archive), { objectMode: false });
}

/** yauzl checks the size only. */
async function* checkedBytes(
  bytes: AsyncIterable<Buffer>,
  entry: Entry,
  archive: string,
): AsyncGenerator<Buffer> {
  const damaged = `${entry.fileName} in ${archive} is damaged`;
  let checksum = 0;
  try {
    for await (const chunk of bytes) {
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    throw new Error(damaged, { cause: error });
  }
  if (checksum !== entry.crc32) throw new Error(`${damaged}: its CRC-32 is wrong`);
}
