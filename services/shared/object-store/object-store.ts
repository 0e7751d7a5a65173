import type { Readable } from 'node:stream';

/** A file in the store. */
export interface StoredFile {
  /** `exports/7/2026-01-31/0b1c….csv` */
  readonly key: string;
  readonly contentType: string;
  /** The name under which a browser saves it. */
  readonly fileName: string;
}

/** First and last byte, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Stores the files of exports. Files appear only when complete. */
export interface ObjectStore {
  /** Identifies the store: `folder:/var/exports`, `s3:bucket/prefix`. */
  readonly name: string;
  readonly bucket: string;
  /** Prefix of every key, so that several installations can share a bucket. */
  readonly keyPrefix: string;
  /** Throws if the store is not writable. */
  check(): Promise<void>;
  /** The file exists when this resolves. After an error nothing of it remains. */
  write(file: StoredFile, chunks: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void>;
  /** Undefined if the file does not exist. */
  sizeOf(key: string): Promise<number | undefined>;
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** A link to the file that works without a token until it expires. */
  link(file: StoredFile, expiresAt: Date): Promise<string>;
  /** Deletes a file, complete or partial. Does nothing if it does not exist. */
  discard(key: string): Promise<void>;
  /** Deletes what is partial of a file, and keeps the file if it has become complete. */
  discardPartial(key: string): Promise<void>;
  /** Keys, with the prefix, of partial files. */
  unfinished(): AsyncIterable<string>;
}
