import type { Knex } from 'knex';
import { validationError } from '../../shared/errors/app-error.ts';
import { type KnownMoment, knownSize, openKnownPeriods } from './metadata-history.ts';

interface ReadOptions {
  readonly fill: string;
  readonly maxPeriods: number;
  /** Counts the rows that were read. */
  readonly read: { rowCount: number };
  readonly signal: AbortSignal;
}

/** Limits memory use and the time for which a chunk occupies the event loop. */
const bytesPerFetch = 1024 * 1024;
const maxRowsPerFetch = 2_000;
/** More than a row without custom values; and JSON as text may be twice as long as stored. */
const bytesPerRow = 500;
const textFactor = 2;

/** Yields the periods in chunks of lines. Throws a VALIDATION_FAIL if there are too many. */
export async function* readKnownLines(
  transaction: Knex.Transaction,
  known: KnownMoment,
  { fill, maxPeriods, read, signal }: ReadOptions,
): AsyncGenerator<string> {
  const { periods, maxCustomBytes } = await knownSize(transaction, known);
  if (periods > maxPeriods) {
    throw validationError({
      knownAt: [
        `Your organisation had ${periods} periods of metadata then; the maximum for knownAt is ${maxPeriods}. Send the request without knownAt.`,
      ],
    });
  }
  const fitting = Math.floor(bytesPerFetch / (bytesPerRow + textFactor * maxCustomBytes));
  const rowsPerFetch = Math.min(Math.max(1, fitting), maxRowsPerFetch);
  const fetch = await openKnownPeriods(transaction, known, fill);
  for (;;) {
    signal.throwIfAborted();
    const lines = await fetch(rowsPerFetch);
    if (lines.length === 0) return;
    read.rowCount += lines.length;
    // JSON escapes line feeds within values: each line is one row.
    yield lines.map((line) => `${line}\n`).join('');
  }
}
