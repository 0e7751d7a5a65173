import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { readInput } from '../load/input/input-files.ts';
import { decompressed, openText, type TextInput } from '../load/input/open-text.ts';
import type { Encoding } from '../load/input/text-encoding.ts';
import { Progress } from '../load/progress.ts';
import { type MbaFile, mbaFile } from './mba-file.ts';

/** One open file of a release. */
export interface MbaSource {
  readonly name: string;
  readonly file: MbaFile | 'unsupported';
  readonly input: TextInput;
  readonly progress: Progress;
  /** Default folder of the reject file. */
  readonly folder: string;
}

/** The files `curr_*.csv` of a folder, recursively, or of an archive. */
export async function* mbaSources(path: string, encoding?: Encoding): AsyncGenerator<MbaSource> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new Error(`File not found: ${path}`);
  if (stats.isDirectory()) yield* sourcesInFolder(path, encoding);
  else yield* sourcesInArchive(path, stats.size, encoding);
}

function* sourcesInFolder(folder: string, encoding?: Encoding): Generator<MbaSource> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const path of paths.map((name) => join(folder, name))) {
    const name = basename(path);
    const file = mbaFile(name);
    if (file === undefined) continue;
    const sizeBytes = statSync(path).size;
    const progress = new Progress(name, sizeBytes);
    const onBytes = (count: number) => progress.addBytes(count);
    const input = openText(readInput(path), { encoding, onBytes });
    try {
      yield { name, file, input, progress, folder: dirname(path) };
    } finally {
      input.content.destroy();
    }
  }
}

async function* sourcesInArchive(
  path: string,
  sizeBytes: number,
  encoding?: Encoding,
): AsyncGenerator<MbaSource> {
  const progress = new Progress(basename(path), sizeBytes);
  const archive = decompressed(readInput(path), (count) => progress.addBytes(count));
  // An error of the archive reaches the loop because the pipeline destroys the extraction.
  const entries = pipeline(archive, extract(), () => undefined);
  for await (const entry of entries) {
    const name = basename(entry.header.name);
    const file = entry.header.type === 'file' ? mbaFile(name) : undefined;
    if (file !== undefined) {
      const bytes = Readable.from(chunksOf(entry), { objectMode: false });
      const input = openText(bytes, { encoding });
      yield { name, file, input, progress, folder: dirname(path) };
      input.content.destroy();
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
