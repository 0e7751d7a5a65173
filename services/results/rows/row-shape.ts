import type { Separator } from '../csv/parse-csv.ts';
import type { FieldCheck } from '../fields/field-check.ts';

/** The columns of a file. */
export interface RowShape {
  /** One per column, in the order of the file; undefined for a skipped column. */
  readonly checks: readonly (FieldCheck | undefined)[];
  readonly names: readonly string[];
  /** Columns that identify a result, besides the agent. */
  readonly isKey: readonly boolean[];
  readonly timeColumn: number;
  /** The column that identifies the agent. */
  readonly agentColumn: number;
  readonly separator: Separator;
  /** The least length of a row with its line end. Default: that of a row with a time. */
  readonly minRowBytes?: number;
  /** Columns that a row must have a value in. */
  readonly required?: readonly RequiredField[];
  /** How far in the future the time of a row may be, in seconds. Default: times are neither checked nor kept. */
  readonly maxAheadS?: number;
}

/** A column without a usable default. */
export interface RequiredField {
  readonly name: string;
  /** -1 if the file does not have it. */
  readonly column: number;
  /** Only where these columns are above 0. */
  readonly whenPositive: readonly number[];
}

/** Finds or assigns the number of an agent; undefined when the field does not identify one. */
export type AgentNumber = (bytes: Buffer, start: number, end: number) => number | undefined;
