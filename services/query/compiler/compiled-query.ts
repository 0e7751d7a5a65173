import { printQuery, type QueryParams } from '../../shared/sql/print-query.ts';
import type { Query } from '../../shared/sql/select.ts';

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
  /** How many of the first columns identify a series. */
  readonly seriesColumns: number;
}

export interface ResultColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** `variant`: a number or a text, as in custom fields. */
export type ColumnKind = 'number' | 'text' | 'variant' | 'time' | 'percentiles';

export function compiledQuery(
  query: Query,
  columns: readonly ResultColumn[],
  seriesColumns = 0,
): CompiledQuery {
  return { query, ...printQuery(query), columns, seriesColumns };
}
