import type { Readable } from 'node:stream';
import { openText } from './input/open-text.ts';
import type { LoadSettings } from './load-options.ts';
import { loadStream } from './load-stream.ts';
import type { LoadTarget } from './load-target.ts';
import { Progress } from './progress.ts';
import type { LoadSummary } from './summary/load-summary.ts';
import { RejectFile } from './summary/reject-file.ts';
import { TooManyRejects } from './summary/reject-limit.ts';

/** A file of a folder, a bucket or standard input. */
export interface SourceFile {
  /** For messages. */
  readonly path: string;
  /** For progress. */
  readonly name: string;
  /** 0 when unknown. */
  readonly sizeBytes: number;
  /** Path of the file for its rejected rows. */
  readonly rejectFile: string;
  /** The bytes, as stored. */
  readonly open: () => Readable | Promise<Readable>;
}

export type FileTarget = Omit<LoadTarget, 'onRows'> & LoadSettings;

/** Loads one file and shows the progress. */
export async function loadFile(file: SourceFile, target: FileTarget): Promise<LoadSummary> {
  const progress = new Progress(file.name, file.sizeBytes);
  try {
    const { encoding } = target;
    const onBytes = (count: number) => progress.addBytes(count);
    const source = openText(await file.open(), { encoding, onBytes });
    const onRows = (count: number) => progress.addRows(count);
    return await loadStream(source, { ...target, onRows }, new RejectFile(file.rejectFile));
  } catch (error) {
    if (error instanceof TooManyRejects) throw error;
    throw new Error(`${file.path} was not loaded completely`, { cause: error });
  } finally {
    progress.end();
  }
}
