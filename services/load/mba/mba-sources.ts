import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { readInput } from '../input/input-files.ts';
import { startOf } from '../input/input-format.ts';
import { decompressed, openText, type TextInput } from '../input/open-text.ts';
import type { Encoding } from '../input/text-encoding.ts';
import { Progress } from '../progress.ts';
import { type MbaFile, mbaFile } from './mba-file.ts';
import { type ZipEntry, zipEntries, zipEntriesOfStream } from './zip-entries.ts';

/** One open file of a release. */
export interface MbaSource {
  readonly name: string;
  /** From the folder or archive on: `2014.zip/201401/curr_ping_2014_01.csv`. */
  readonly path: string;
  readonly file: MbaFile | 'unsupported';
  readonly input: TextInput;
  readonly progress: Progress;
  /** Default folder of the reject file. */
  readonly folder: string;
}

/**
 * The files `curr_*.csv` of a folder, recursively, or of an archive, and of archives in these; or one such file.
 */
export async function* mbaSources(path: string, encoding?: Encoding): AsyncGenerator<MbaSource> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new Error(`File not found: ${path}`);
  const context = { encoding, folder: dirname(path), level: 0, maxInnerZipBytes: 0 };
  if (stats.isDirectory()) {
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
    for (const name of names.filter(isOfRelease)) {
      const file = join(path, name);
      if (!statSync(file).isFile()) continue;
      yield* sourcesInFile(file, name, { ...context, folder: dirname(file) });
    }
    return;
  }
  if (!isOfRelease(path) && /\.(csv|txt)(\.gz)?$/i.test(path)) {
    throw new Error(
      `${path}: the name must be that of a file of a release, such as curr_httpgetmt.csv or ` +
        'curr_httpgetmt_2014_01.csv, because it selects the test. netpanel load loads other files.',
    );
  }
  yield* sourcesInFile(path, basename(path), context);
}

/** A result file or an archive, by its name. */
function isOfRelease(path: string): boolean {
  return mbaFile(basename(path)) !== undefined || isZip(path) || isTar(path);
}

const isZip = (path: string) => /\.zip$/i.test(path);
const isTar = (path: string) => /\.(tar|tar\.gz|tgz)$/i.test(path);

interface Context {
  readonly encoding: Encoding | undefined;
  readonly folder: string;
  /** Number of archives around the file. */
  readonly level: number;
  /** Of a zip archive inside the file. */
  readonly maxInnerZipBytes: number;
}

async function* sourcesInFile(
  file: string,
  path: string,
  outer: Context,
): AsyncGenerator<MbaSource> {
  const { size } = statSync(file);
  const progress = new Progress(basename(path), size);
  const context = {
    ...outer,
    maxInnerZipBytes: Math.max(smallestZipLimit, maxInnerZipFactor * size),
  };
  const onBytes = (count: number) => progress.addBytes(count);
  if (mbaFile(basename(path)) !== undefined) {
    yield* sourceOf({ path, content: readInput(file), progress, onBytes }, context);
    // Not the name: a downloaded archive may have another one.
  } else if (startOf(file).toString('latin1', 0, 2) === 'PK') {
    yield* sourcesInZip(zipEntries(file), path, context);
  } else {
    yield* sourcesInTar(decompressed(readInput(file), onBytes), path, progress, context);
  }
}

interface OpenEntry {
  readonly path: string;
  readonly content: Readable;
  readonly progress: Progress;
  readonly onBytes?: (count: number) => void;
}

/** A result file or an archive inside an archive; other entries have no sources. */
async function* sourcesInEntry(entry: OpenEntry, context: Context): AsyncGenerator<MbaSource> {
  const { path, content, progress } = entry;
  if (mbaFile(basename(path)) !== undefined) {
    yield* sourceOf(entry, context);
    return;
  }
  if (context.level >= maxLevels) {
    throw new Error(`${path}: archives inside archives are read up to ${maxLevels} levels deep`);
  }
  if (isZip(path)) {
    const entries = zipEntriesOfStream(content, path, context.maxInnerZipBytes);
    yield* sourcesInZip(entries, path, context);
  } else {
    const archive = decompressed(content, () => undefined);
    yield* sourcesInTar(archive, path, progress, context);
  }
}

/** A zip archive that is compressed again hardly becomes smaller. */
const maxInnerZipFactor = 4;
const smallestZipLimit = 16 * 1024 ** 2;

/** Protects against an archive that contains itself. */
const maxLevels = 4;

function* sourceOf(
  { path, content, progress, onBytes }: OpenEntry,
  { encoding, folder }: Context,
): Generator<MbaSource> {
  const name = basename(path);
  const file = mbaFile(name) ?? 'unsupported';
  const input = openText(content, { encoding, ...(onBytes === undefined ? {} : { onBytes }) });
  try {
    yield { name, path, file, input, progress, folder };
  } finally {
    input.content.destroy();
  }
}

async function* sourcesInZip(
  entries: AsyncGenerator<ZipEntry>,
  archive: string,
  context: Context,
): AsyncGenerator<MbaSource> {
  for await (const { path, sizeBytes, open } of entries) {
    if (!isOfRelease(path)) continue;
    const progress = new Progress(basename(path), sizeBytes);
    const onBytes = (count: number) => progress.addBytes(count);
    const entry = { path: `${archive}/${path}`, content: await open(), progress, onBytes };
    yield* sourcesInEntry(entry, { ...context, level: context.level + 1 });
  }
}

async function* sourcesInTar(
  bytes: Readable,
  archive: string,
  progress: Progress,
  context: Context,
): AsyncGenerator<MbaSource> {
  // An error of the archive reaches the loop because the pipeline destroys the extraction.
  const entries = pipeline(bytes, extract(), () => undefined);
  for await (const entry of entries) {
    const { name, type } = entry.header;
    if (type === 'file' && isOfRelease(name)) {
      const content = Readable.from(chunksOf(entry), { objectMode: false });
      const path = `${archive}/${name}`;
      yield* sourcesInEntry({ path, content, progress }, { ...context, level: context.level + 1 });
    }
    entry.resume();
  }
}

/** Without for-await, which would destroy the entry and the whole extraction on early exit. */
async function* chunksOf(entry: AsyncIterable<unknown>): AsyncGenerator {
  const chunks = entry[Symbol.asyncIterator]();
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) return;
    yield next.value;
  }
}
