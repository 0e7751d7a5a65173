import { createReadStream, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';

export interface InputFile {
  /** As given; `-` is standard input. */
  readonly path: string;
  /** Shown in messages, and part of the name of the reject file. */
  readonly name: string;
  /** 0 when unknown. */
  readonly sizeBytes: number;
  /** The bytes of standard input that was copied: it can be read several times. */
  readonly open?: () => Readable;
}

/** Resolves names and patterns (`*` and `?` in any part of the path). Throws when a file is missing. */
export function inputFiles(paths: readonly string[]): readonly InputFile[] {
  return paths.flatMap((path) => {
    if (path === '-') return { path, name: 'stdin', sizeBytes: 0 };
    if (!/[*?]/.test(path)) return fileAt(path);
    const found = matches(path).map(fileAt);
    if (found.length === 0) throw new Error(`No file matches ${path}`);
    return found;
  });
}

/** The bytes of a file, as stored. */
export function readInput(path: string): Readable {
  return path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 1024 * 1024 });
}

function fileAt(path: string): InputFile {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new Error(`File not found: ${path}`);
  if (stats.isDirectory()) throw new Error(`${path} is a folder, not a file`);
  return { path, name: basename(path), sizeBytes: stats.size };
}

function matches(pattern: string): readonly string[] {
  const parts = pattern.split('/');
  return parts.reduce<readonly string[]>(
    (found, part, i) => found.flatMap((folder) => entries(folder, part, i === 0)),
    [''],
  );
}

function entries(folder: string, part: string, isFirst: boolean): readonly string[] {
  if (part === '') return isFirst ? ['/'] : [folder];
  if (!/[*?]/.test(part)) return [join(folder, part)];
  const text = part.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  const wanted = new RegExp(`^${text.replaceAll('*', '.*').replaceAll('?', '.')}$`);
  const isFolder = statSync(folder || '.', { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) return [];
  return readdirSync(folder || '.')
    .filter((name) => wanted.test(name) && !name.startsWith('.'))
    .sort()
    .map((name) => join(folder, name));
}
