import { join } from 'node:path';
import { HeaderError } from '../../results/columns/file-plan.ts';
import type { LoadSettings, LoadTarget } from '../blocks/load-target.ts';
import { TooManyRejects } from '../blocks/rejects.ts';
import { loadStream } from '../load-stream.ts';
import type { FileOutcome } from '../summary/load-summary.ts';
import { mbaHeader } from './mba-file.ts';
import { mbaSources, type MbaSource } from './mba-sources.ts';

type ReleaseTarget = LoadSettings &
  Pick<LoadTarget, 'database' | 'clickhouse' | 'organisationId' | 'excludedUnits'>;

/** Loads the files of a release. Files that cannot be loaded are skipped. */
export async function* loadRelease(
  path: string,
  target: ReleaseTarget,
): AsyncGenerator<FileOutcome> {
  const names = new Set<string>();
  for await (const source of mbaSources(path, target.encoding)) {
    // Archives of several months have files of the same name.
    const name = names.has(source.name) ? source.path : source.name;
    names.add(name);
    yield await loadSource({ ...source, name }, target);
  }
  if (names.size === 0) throw new Error(`${path} contains no file curr_*.csv`);
}

async function loadSource(source: MbaSource, release: ReleaseTarget): Promise<FileOutcome> {
  const { name, file, input, progress } = source;
  if (file === 'unsupported') {
    return { file: name, test: null, status: 'unsupported', reason: 'no test for this file' };
  }
  const { test } = file;
  const folder = release.rejectsDir ?? source.folder;
  const rejectFile = join(folder, `${name.replaceAll('/', '_')}.rejects.csv`);
  try {
    const target = {
      ...release,
      ...file,
      readHeader: (line: readonly string[]) => mbaHeader(line, file),
      // Some columns exist only in some years: location_id, ddate.
      ignore: 'unknown' as const,
      onRows: (count: number) => progress.addRows(count),
    };
    return { file: name, test, status: 'loaded', ...(await loadStream(input, target, rejectFile)) };
  } catch (error) {
    // One unreadable file among twenty must not stop the others.
    if (error instanceof HeaderError) {
      return { file: name, test, status: 'skipped', reason: error.message };
    }
    if (error instanceof TooManyRejects) throw error;
    throw new Error(`${name} was not loaded completely`, { cause: error });
  } finally {
    progress.end();
  }
}
