import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { decompressed, openInput } from '../load/input-files.ts';
import { Progress } from '../load/progress.ts';
import { type MbaFile, mbaFile } from './mba-file.ts';
import { tarEntries } from './tar-entries.ts';

/** One file of a release, ready to be read. */
export interface MbaSource {
  readonly name: string;
  readonly file: MbaFile | 'untested';
  readonly content: Readable;
  readonly progress: Progress;
  /** Where its reject file goes unless told otherwise. */
  readonly folder: string;
}

/** The files `curr_*.csv` of a folder and those below it, or of an archive. */
export async function* mbaSources(path: string): AsyncGenerator<MbaSource> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new Error(`There is no ${path}`);
  if (stats.isDirectory()) yield* sourcesInFolder(path);
  else yield* sourcesInArchive(path, stats.size);
}

function* sourcesInFolder(folder: string): Generator<MbaSource> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const path of paths.map((name) => join(folder, name))) {
    const name = basename(path);
    const file = mbaFile(name);
    if (file === undefined) continue;
    const sizeBytes = statSync(path).size;
    const progress = new Progress(name, sizeBytes);
    const content = openInput({ path, name, sizeBytes }, (count) => progress.addBytes(count));
    yield { name, file, content, progress, folder: dirname(path) };
    content.destroy();
  }
}

async function* sourcesInArchive(path: string, sizeBytes: number): AsyncGenerator<MbaSource> {
  const progress = new Progress(basename(path), sizeBytes);
  const archive = openInput({ path, name: path, sizeBytes }, (count) => progress.addBytes(count));
  for await (const entry of tarEntries(archive)) {
    const name = basename(entry.path);
    const file = mbaFile(name);
    if (file === undefined) continue;
    const content = decompressed(entry.content, () => undefined);
    yield { name, file, content, progress, folder: dirname(path) };
    content.destroy();
  }
}
