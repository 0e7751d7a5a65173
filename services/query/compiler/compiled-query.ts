import { printQuery, type QueryParams } from '../../shared/sql/print-query.ts';
import type { Query } from '../../shared/sql/select.ts';

/**
 * A query ready to run: its text, the values bound in it, and its columns. Limits and FORMAT are added
 * when it is run; the SETTINGS in the text are those without which the result would be wrong.
 */
export interface CompiledQuery {
  readonly query: Query;
  readonly sql: string;
  readonly params: QueryParams;
  /** The columns of a row, in order. */
  readonly columns: readonly ResultColumn[];
  /** How many of the first columns tell one series from the next. */
  readonly seriesColumns: number;
}

export interface ResultColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** `variant` is a number or a text: a custom field has either. */
export type ColumnKind = 'number' | 'text' | 'variant' | 'time' | 'percentiles';

export function compiledQuery(
  query: Query,
  columns: readonly ResultColumn[],
  seriesColumns = 0,
): CompiledQuery {
  return { query, ...printQuery(query), columns, seriesColumns };
}
