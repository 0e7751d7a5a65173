import type { RejectedRow } from '../../results/rows/scanned-rows.ts';
import type { MultilineFields } from '../../results/rows/multiline-fields.ts';
import type { Separator } from '../../results/csv.ts';

/** A row of a file with other columns than the test. */
export interface SourceRow {
  /** First line, from 1; in a Parquet file or JSON document the row, from 1. */
  readonly line: number;
  /** Number of the row, from 1: the line without the header. */
  readonly row: number;
  /** In the order of the columns; undefined for a column that is not read. '' is blank. */
  readonly cells: readonly (string | undefined)[];
  /** As in the file; undefined for a file that is not text. */
  readonly text: string | undefined;
}

export interface SourceBatch {
  readonly rows: readonly SourceRow[];
  /** Rows that have no cells, such as a line of NDJSON that is not JSON. */
  readonly unreadable: readonly RejectedRow[];
  /** Of all rows of a CSV file so far. */
  readonly multiline?: MultilineFields | undefined;
}

/** Receives the content of a file. */
export interface SourceReader {
  /** Called once, before any row. Returns the columns to read, of these and of others that may follow. */
  onColumns(columns: readonly string[], separator?: Separator): readonly string[];
  /** Called with consecutive rows. The next ones are read when it has ended. */
  onRows(batch: SourceBatch): Promise<void>;
}
