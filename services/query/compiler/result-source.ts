import type { Column } from '../../shared/sql/select.ts';

/** The results that statistics are computed of, and further columns of each bucket and series. */
export interface ResultSource {
  readonly from: string;
  /** Whether the value of some results is NULL: they are left out. */
  readonly hasNulls: boolean;
  /** Columns of results that are 1 for a result that is left out: `is_results_without_field`. */
  readonly flags: readonly string[];
  /** Counts of these results. */
  readonly columns: readonly Column[];
  /** Further columns of each block, for `normalisedColumns`. */
  readonly blockColumns: readonly Column[];
  /** Aggregates over results of equal weight. */
  readonly plainColumns: readonly Column[];
  /** Aggregates over results with their `own_weight`. */
  readonly weightedColumns: readonly Column[];
  /** The same over arrays of the results in a block and their weights. */
  readonly normalisedColumns: readonly Column[];
  /** Statistics over the arrays `xs` and `ws` and the columns above. */
  readonly weightedStatistics: readonly Column[];
}
