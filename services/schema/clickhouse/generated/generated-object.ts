/**
 * A view that is derived from the catalogue. `netpanel migrate` replaces it when its text changes, so the text names
 * every column: a * would stay the same when a column is added.
 */
export type GeneratedObject = GeneratedView | GeneratedMaterializedView;

export interface GeneratedView {
  readonly kind: 'view';
  readonly name: string;
  /** The SELECT, which may contain ${database}. */
  readonly sql: string;
}

/** Adds rows to a table with every insert into another one, with the rights of the user of the migrations. */
export interface GeneratedMaterializedView {
  readonly kind: 'materialized view';
  readonly name: string;
  /** The table that it inserts into. Another table needs a view of another name. */
  readonly target: string;
  /** The SELECT, with each table it reads after FROM. */
  readonly sql: string;
}
