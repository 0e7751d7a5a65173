import type { Readable } from 'node:stream';

/** Where files appear: a folder or a part of a bucket. */
export interface WatchedPlace {
  /** The key of its records: `/data/incoming` or `s3://bucket/prefix/`. */
  readonly name: string;
  /** Files of a folder are visible while they are written, and may have their reject files next to them. */
  readonly isFolder: boolean;
  readonly list: () => Promise<readonly FoundFile[]>;
  /** Throws a FileChangedError if the content is not the one that was found. */
  readonly open: (file: FoundFile) => Promise<Readable>;
  readonly pathOf: (file: FoundFile) => string;
}

export interface FoundFile {
  /** Relative to the place: `httpget/day.csv`. */
  readonly name: string;
  /** Of the content: another version is loaded again. */
  readonly version: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** The file was replaced or removed after it was found. The next listing of the place shows which. */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';
}

/** Files that are being written, and the reject files of netpanel load. */
export function isTemporary(name: string): boolean {
  return (
    name.split('/').some((part) => part.startsWith('.')) ||
    /\.(part|partial|tmp|rejects\.csv)$/i.test(name) ||
    // An empty object that stands for a folder.
    name.endsWith('/')
  );
}
