import type { TestKey } from '../../catalog/test-tables.ts';
import type { Expression } from '../../shared/sql/expression.ts';
import { printQuery, type QueryParams } from '../../shared/sql/print-query.ts';
import type { Query } from '../../shared/sql/select.ts';
import type { KnownAt } from '../request/selection.ts';

/**
 * A query ready to run: its text, its bound values and its columns. Limits and FORMAT are added when
 * it runs; the text contains only the SETTINGS that affect the result.
 */
export interface CompiledQuery {
  readonly query: Query;
  readonly sql: string;
  readonly params: QueryParams;
  /** The columns of a row, in order. */
  readonly columns: readonly ResultColumn[];
  readonly series: SeriesShape;
  readonly reads: DataReads;
  /** The metadata that must be copied to ClickHouse before it runs. */
  readonly knownAt: readonly KnownAt[];
}

/** How rows form the series of a response. */
interface SeriesShape {
  /** How many of the first columns identify a series. 0: all rows are one series. */
  readonly keyColumns: number;
  /** How the values of each key column are ordered. */
  readonly orders: readonly SplitOrder[];
  /** Whether a response without rows has one empty series, or none. */
  readonly hasEmptySeries: boolean;
}

/** `id`: digits, as numbers. `values`: numbers by value, then texts by their bytes, then null. */
export type SplitOrder = 'id' | 'values';

export interface ResultColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** A column of the points: SQL over the last step. */
export interface PointColumn extends ResultColumn {
  readonly sql: Expression;
  /** Unquoted; default: the name. */
  readonly responseName?: string;
  /** The object of a JSON response that has this number, for a column of CSV. */
  readonly of?: string;
}

/**
 * `variant`: a number or a text, as in custom fields. `numbers`: an object of numbers. `interval`: a list of two numbers,
 * and `intervals` an object of such lists. `object`: any other one.
 */
export type ColumnKind =
  | 'number'
  | 'text'
  | 'variant'
  | 'time'
  | 'boolean'
  | 'numbers'
  | 'interval'
  | 'intervals'
  | 'object';

/** The results that a query may read: those of a test in a range of UTC days, both included. */
export interface DataReads extends DayRange {
  readonly test: TestKey;
  /** Of both sides of a comparison. */
  readonly sides?: readonly DayRange[];
}

/** As `2026-01-31`. */
export interface DayRange {
  readonly fromDay: string;
  readonly toDay: string;
}

export function compiledQuery(parts: Omit<CompiledQuery, 'sql' | 'params'>): CompiledQuery {
  return { ...parts, ...printQuery(parts.query) };
}

/** Settings that affect the result of a query. Limits are set when it runs. */
export function semanticSettings(knownAt: readonly KnownAt[] = []): readonly string[] {
  return [
    // Makes FINAL several times faster. Safe: dtime is in the sorting key and sets the partition.
    'do_not_merge_across_partitions_select_final = 1',
    // An output column, such as a custom field called "mean", must not hide a column of the query.
    'prefer_column_name_to_alias = 1',
    // Counts must be JSON numbers.
    'output_format_json_quote_64bit_integers = 0',
    // Keeps the order of results. The default distributes them by agent, so that more sums would differ in their
    // last digits from those of the same query without the join.
    ...(knownAt.length === 0 ? [] : ["join_algorithm = 'hash'"]),
  ];
}
