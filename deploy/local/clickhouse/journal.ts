import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import type { QueryRequest } from './query-request.ts';
import { sqlTokens } from './sql-tokens.ts';

/** A statement that changed something: what was asked, and the statement with its data. */
export interface JournalEntry {
  readonly request: QueryRequest;
  readonly input: Uint8Array;
}

/**
 * What makes tables outlive the process, which holds them in memory: every statement that changed
 * something, written down before it is answered. A killed process loses what it had not answered, as
 * a server with a disk does; against a power cut nothing is done.
 */
export class Journal {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  append({ request, input }: JournalEntry): void {
    const header = Buffer.from(
      JSON.stringify({
        ...request,
        parameters: [...request.parameters],
        settings: [...request.settings],
      }),
    );
    const sizes = Buffer.alloc(sizesBytes);
    sizes.writeUInt32LE(header.length, 0);
    sizes.writeUInt32LE(input.length, 4);
    appendFileSync(this.#path, Buffer.concat([sizes, header, input]));
  }

  /** In the order in which they were written; the piece of one that a kill left is removed. */
  *entries(): Generator<JournalEntry> {
    if (!existsSync(this.#path)) return;
    const bytes = readFileSync(this.#path);
    let at = 0;
    while (at + sizesBytes <= bytes.length) {
      const headerAt = at + sizesBytes;
      const inputAt = headerAt + bytes.readUInt32LE(at);
      const end = inputAt + bytes.readUInt32LE(at + 4);
      if (end > bytes.length) break;
      const header = JSON.parse(bytes.toString('utf8', headerAt, inputAt)) as StoredRequest;
      yield {
        request: {
          ...header,
          parameters: new Map(header.parameters),
          settings: new Map(header.settings),
        },
        input: bytes.subarray(inputAt, end),
      };
      at = end;
    }
    if (at < bytes.length) truncateSync(this.#path, at);
  }
}

/** Whether a statement leaves something behind that a restart would lose. */
export function isChange(input: Uint8Array): boolean {
  // The first word that is no comment.
  for (const { text } of sqlTokens(input)) return changes.has(text.toUpperCase());
  return false;
}

const changes = new Set(['INSERT', 'CREATE', 'ALTER', 'DROP', 'TRUNCATE', 'RENAME', 'DELETE']);

const sizesBytes = 8;

type StoredRequest = Omit<QueryRequest, 'parameters' | 'settings'> & {
  readonly parameters: readonly [string, string][];
  readonly settings: readonly [string, string][];
};
