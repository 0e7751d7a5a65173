import type { Separator } from '../../results/csv/parse-csv.ts';
import type { RowsToInsert } from '../../results/store/rows-to-insert.ts';

/** Valid rows of a request. */
export interface ReceivedRows {
  readonly test: string;
  /** Columns of the INSERT. */
  readonly names: readonly string[];
  readonly separator: Separator;
  readonly rows: RowsToInsert;
}

export interface RowSink {
  /** Resolves when ClickHouse has the rows; on a cluster, when a quorum of the shard's replicas has them. */
  insert(received: ReceivedRows): Promise<void>;
}
