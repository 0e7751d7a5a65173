/**
 * A query ready to run: its text, the values bound in it, and what comes back. Limits and FORMAT are
 * for whoever runs it; the SETTINGS in the text are those without which the answer would be wrong.
 */
export interface CompiledQuery {
  readonly sql: string;
  readonly params: QueryParams;
  /** The columns of a row, in order. */
  readonly columns: readonly Column[];
  /** The first columns: rows with the same values in them are one series. */
  readonly seriesColumns: readonly string[];
}

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

type ColumnKind = 'number' | 'integer' | 'text' | 'percentiles' | 'any';

/** By the name in `{name:Type}`. */
export type QueryParams = Readonly<Record<string, QueryParam>>;

export interface QueryParam {
  /** ClickHouse type, as in the text. */
  readonly type: string;
  readonly value: ParamValue;
}

export type ParamValue = string | number | readonly string[] | readonly number[];

/** The values alone, as the ClickHouse client takes them in `query_params`. */
export function paramValues(params: QueryParams): Record<string, ParamValue> {
  return Object.fromEntries(Object.entries(params).map(([name, { value }]) => [name, value]));
}
