import { HeaderError } from '../../results/columns/file-plan.ts';
import { ZstdError } from '../../results/compression/unzstd.ts';
import { MappingError } from '../load/mapping/expression.ts';
import { InvalidRowError } from '../load/summary/invalid-row-error.ts';
import { TooManyRejects } from '../load/summary/reject-limit.ts';
import { messagesOf } from '../../shared/errors/messages-of.ts';

/**
 * Whether a load failed because of the content of the file, so that another attempt would fail too. All
 * other failures may be temporary: a store is unreachable, a disk is full, a permission is missing.
 */
export function isBadFile(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error instanceof BadFileError ||
    error instanceof HeaderError ||
    error instanceof MappingError ||
    error instanceof InvalidRowError ||
    error instanceof TooManyRejects ||
    error instanceof ZstdError ||
    // zlib: the gzip data is damaged or cut short.
    String((error as NodeJS.ErrnoException).code).startsWith('Z_') ||
    isBadFile(error.cause)
  );
}

/** A file that cannot be loaded, found before it is read. */
export class BadFileError extends Error {
  override readonly name = 'BadFileError';
}

/**
 * The message for the record in Postgres, without values of the file: they may identify a household, and an
 * erasure does not search the records. The log has the complete message.
 */
export function recordedMessage(error: unknown): string {
  const invalidRow = causes(error).find((cause) => cause instanceof InvalidRowError);
  return withoutValues(invalidRow?.rule ?? messagesOf(error));
}

export function withoutValues(message: string): string {
  // ClickHouse and Node quote with '; an apostrophe follows a letter. Postgres cannot store a NUL.
  const text = message.replace(/"(?:[^"\\]|\\.)*"|(?<!\p{L})'[^']*'/gu, '"…"');
  return text.replaceAll('\0', '').slice(0, maxCharacters);
}

const maxCharacters = 2_000;

function causes(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [];
}
