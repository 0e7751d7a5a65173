import type { Separator } from '../../results/csv/parse-csv.ts';

/** Valid rows of a request. */
export interface ReceivedRows {
  readonly test: string;
  /** Columns of the INSERT. */
  readonly names: readonly string[];
  readonly separator: Separator;
  /** One after another. They are not joined: a large request would copy all its rows in one step. */
  readonly blocks: readonly Buffer[];
  readonly rowCount: number;
  readonly byteCount: number;
}

export interface RowSink {
  /** Resolves when ClickHouse has the rows; on a cluster, when a quorum of the shard's replicas has them. */
  insert(received: ReceivedRows): Promise<void>;
}
