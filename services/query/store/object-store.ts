import type { Readable } from 'node:stream';

/** A file as it is kept and handed out. */
export interface StoredFile {
  /** `exports/7/2026-01-31/0b1c….csv` */
  readonly key: string;
  readonly contentType: string;
  /** What a browser saves it as. */
  readonly fileName: string;
}

/** First and last byte, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Where exports are kept. What is not written to its end does not exist. */
export interface ObjectStore {
  /** Tells one store from another: `folder:/var/exports`, `s3:bucket/prefix`. */
  readonly name: string;
  readonly bucket: string;
  /** What every key starts with, so that several can share a bucket. */
  readonly keyPrefix: string;
  /** Throws when nothing could be written there now. */
  check(): Promise<void>;
  /** The file is there when this resolves; when it throws, nothing of it is, or will be. */
  write(file: StoredFile, pieces: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void>;
  /** Undefined when there is no such file. */
  sizeOf(key: string): Promise<number | undefined>;
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** A link to the file that works without a token until then. */
  link(file: StoredFile, expiresAt: Date): Promise<string>;
  /** Removes a file and whatever is half-written of it; nothing there is fine. */
  discard(key: string): Promise<void>;
  /** Keys, with the prefix, of files that somebody began to write and has not finished. */
  unfinished(): AsyncIterable<string>;
}
