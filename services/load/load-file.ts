import { basename, dirname, join } from 'node:path';
import { messagesOf } from '../shared/errors/messages-of.ts';
import type { InputFile } from './input/input-files.ts';
import { loadStream } from './load-stream.ts';
import type { LoadTarget } from './blocks/load-target.ts';
import type { Mapping } from './mapping/compile-mapping.ts';
import type { MappingSettings } from './mapping/complete-mapping.ts';
import { planHeader } from './open-file.ts';
import { type InputSource, localFile, openInput } from './open-input.ts';
import { Progress } from './progress.ts';
import type { FileOutcome, LoadSummary } from './summary/load-summary.ts';
import { TooManyRejects } from './blocks/rejects.ts';
import { RefusedFileError } from './mapping-error.ts';

/** A file of a folder, a bucket or standard input. */
export interface SourceFile extends InputSource {
  /** For progress. */
  readonly name: string;
  /** 0 when unknown. */
  readonly sizeBytes: number;
  /** Path of the file for its rejected rows. */
  readonly rejectFile: string;
}

export type FileTarget = Omit<LoadTarget, 'onRows' | 'ignore' | 'constants' | 'fallbacks'> & {
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
    return await loadStream(source, { ...rowsTarget(target), onRows }, file.rejectFile);
  } catch (error) {
    if (error instanceof TooManyRejects) throw error;
    throw new Error(`${file.path} was not loaded completely`, { cause: error });
  } finally {
    progress.end();
  }
}

/** Only the files of a release have values that stand in their names. */
function rowsTarget(target: FileTarget) {
  return { ...target, ignore: target.mapping.ignore, constants: {}, fallbacks: {} };
}

/** Checks the headers of all files before loading any, except standard input. */
export async function checkHeaders(files: readonly InputFile[], target: FileTarget): Promise<void> {
  const filesByProblem = new Map<string, string[]>();
  let isRefused = false;
  for (const file of files) {
    if (file.path === '-') continue;
    try {
      planHeader(await firstLine(file.path, target), rowsTarget(target));
    } catch (error) {
      isRefused ||= error instanceof RefusedFileError;
      const problem = messagesOf(error);
      filesByProblem.set(problem, [...(filesByProblem.get(problem) ?? []), file.path]);
    }
  }
  if (filesByProblem.size === 0) return;
  const problems = [...filesByProblem].map(([problem, paths]) => `${paths.join(', ')}: ${problem}`);
  const { saveTo } = target.mapping;
  const saved = saveTo === undefined ? '' : ` The mapping is in ${saveTo}: complete it there.`;
  const Kind = isRefused ? RefusedFileError : Error;
  throw new Kind(`${problems.join('\n')}\nNothing was loaded.${saved}`);
}

async function firstLine(path: string, target: FileTarget): Promise<string> {
  let text = '';
  const { content } = await openInput(localFile(path), target, {
    ...(target.saveMapping && { onMapping: target.saveMapping }),
  });
  for await (const chunk of content as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8');
    if (text.includes('\n') || text.length > 1024 * 1024) break;
  }
  return text.split('\n', 1)[0] ?? '';
}

/** Loads files one after the other, without the columns that describe their agents. */
export async function* loadFiles(
  files: readonly InputFile[],
  target: FileTarget,
  agentColumns: ReadonlySet<string>,
): AsyncGenerator<FileOutcome> {
  for (const file of files) {
    const folder = target.rejectsDir ?? (file.path === '-' ? '.' : dirname(file.path));
    const rejectFile = join(folder, `${basename(file.name)}.rejects.csv`);
    const summary = await loadFile({ ...localFile(file.path), ...file, rejectFile }, target);
    const ignoredColumns = summary.ignoredColumns.filter((name) => !agentColumns.has(name));
    yield { file: file.name, test: null, status: 'loaded', ...summary, ignoredColumns };
  }
}
