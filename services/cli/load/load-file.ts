import type { LoadSettings } from './load-options.ts';
import { loadStream } from './load-stream.ts';
import type { LoadTarget } from './load-target.ts';
import type { Mapping } from './mapping/compile-mapping.ts';
import type { MappingSettings } from './mapping/mapping-options.ts';
import { type InputSource, openInput } from './open-input.ts';
import { Progress } from './progress.ts';
import type { LoadSummary } from './summary/load-summary.ts';
import { RejectFile } from './summary/reject-file.ts';
import { TooManyRejects } from './summary/reject-limit.ts';

/** A file of a folder, a bucket or standard input. */
export interface SourceFile extends InputSource {
  /** For progress. */
  readonly name: string;
  /** 0 when unknown. */
  readonly sizeBytes: number;
  /** Path of the file for its rejected rows. */
  readonly rejectFile: string;
}

export type FileTarget = Omit<LoadTarget, 'onRows'> &
  LoadSettings & {
    readonly ignore: readonly string[];
    readonly mapping: MappingSettings;
    readonly saveMapping?: (mapping: Mapping, isChecked: boolean) => void;
  };

/** Loads one file and shows the progress. */
export async function loadFile(file: SourceFile, target: FileTarget): Promise<LoadSummary> {
  const progress = new Progress(file.name, file.sizeBytes);
  try {
    const source = await openInput(file, target, {
      onBytes: (count) => progress.addBytes(count),
      ...(target.saveMapping && { onMapping: target.saveMapping }),
    });
    const onRows = (count: number) => progress.addRows(count);
    return await loadStream(source, { ...target, onRows }, new RejectFile(file.rejectFile));
  } catch (error) {
    if (error instanceof TooManyRejects) throw error;
    throw new Error(`${file.path} was not loaded completely`, { cause: error });
  } finally {
    progress.end();
  }
}
