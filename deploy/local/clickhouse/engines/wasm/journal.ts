import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import type { EngineStatement, InsertStatement } from '../engine.ts';

/** A statement that changed data or schema. */
export type JournalEntry =
  { readonly query: EngineStatement } | { readonly insert: InsertStatement };

/**
 * A file of every statement that changed data or schema. A killed process loses only unacknowledged
 * statements. There is no fsync, so a power failure may lose more.
 */
export class Journal {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  append(entry: JournalEntry): void {
    const { data, header } = parts(entry);
    const sizes = Buffer.alloc(sizesBytes);
    sizes.writeUInt32LE(header.length, 0);
    sizes.writeUInt32LE(data.length, 4);
    appendFileSync(this.#path, Buffer.concat([sizes, header, data]));
  }

  /** In the order of writing. An incomplete last entry, left by a kill, is truncated. */
  *entries(): Generator<JournalEntry> {
    if (!existsSync(this.#path)) return;
    const bytes = readFileSync(this.#path);
    let at = 0;
    while (at + sizesBytes <= bytes.length) {
      const headerAt = at + sizesBytes;
      const dataAt = headerAt + bytes.readUInt32LE(at);
      const end = dataAt + bytes.readUInt32LE(at + 4);
      if (end > bytes.length) break;
      yield entryOf(bytes.toString('utf8', headerAt, dataAt), bytes.subarray(dataAt, end));
      at = end;
    }
    if (at < bytes.length) truncateSync(this.#path, at);
  }
}

const sizesBytes = 8;

type StoredHeader =
  { readonly query: EngineStatement } | { readonly insert: Omit<InsertStatement, 'data'> };

function parts(entry: JournalEntry): { header: Buffer; data: Uint8Array } {
  if ('query' in entry) {
    return { header: Buffer.from(JSON.stringify(entry)), data: new Uint8Array(0) };
  }
  const { data, ...insert } = entry.insert;
  return { header: Buffer.from(JSON.stringify({ insert })), data };
}

function entryOf(header: string, data: Uint8Array): JournalEntry {
  const stored = JSON.parse(header) as StoredHeader;
  return 'query' in stored ? stored : { insert: { ...stored.insert, data } };
}
