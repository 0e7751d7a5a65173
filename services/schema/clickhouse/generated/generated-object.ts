/**
 * A table or view that is generated from the catalogue. `netpanel migrate` alters or replaces it when its text changes, so
 * the text of a view lists every column: with `*` it would not change when a column is added.
 */
export type GeneratedObject = GeneratedTable | GeneratedView | GeneratedMaterializedView;

/** A table whose columns are added and modified as the catalogue changes. Only a migration drops a column or the table. */
export interface GeneratedTable {
  readonly kind: 'table';
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** Such as `dtime_range dtime TYPE minmax GRANULARITY 1`. */
  readonly indexes: readonly string[];
  readonly engine: string;
  readonly partitionBy: string;
  /** The sorting key, which cannot change. */
  readonly orderBy: string;
  readonly comment: string;
}

export interface TableColumn {
  readonly name: string;
  /** The type and what follows it in CREATE TABLE. */
  readonly definition: string;
}

/**
 * Runs with the privileges of the user of the migrations. It needs the column organisation_id: the row policies of the query
 * service and of analysts filter the view, not the tables that it reads.
 */
export interface GeneratedView {
  readonly kind: 'view';
  readonly name: string;
  /** The SELECT, which may contain ${database}. */
  readonly sql: string;
  /**
   * On a cluster every shard has a view of its rows, and a Distributed table has the name of the view, because ClickHouse
   * does not push the conditions of a query down through a view to the shards.
   */
  readonly isOnShards?: true;
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
