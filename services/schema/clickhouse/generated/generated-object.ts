/**
 * A view that is generated from the catalogue. `netpanel migrate` replaces it when its text changes, so the text
 * lists every column: with `*` it would not change when a column is added.
 */
export type GeneratedObject = GeneratedView | GeneratedMaterializedView;

/**
 * Runs with the privileges of the user of the migrations. It needs the column organisation_id: the row policy of an
 * analyst filters the view, not the tables that it reads.
 */
export interface GeneratedView {
  readonly kind: 'view';
  readonly name: string;
  /** The SELECT, which may contain ${database}. */
  readonly sql: string;
}

/** Runs with the privileges of the user of the migrations. */
export interface GeneratedMaterializedView {
  readonly kind: 'materialized view';
  readonly name: string;
  /** The table that it inserts into. A change of the target needs a new view name. */
  readonly target: string;
  /** The SELECT, with each table it reads after FROM. */
  readonly sql: string;
}
