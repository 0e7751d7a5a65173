import type { QuestionKind } from '../../shared/clickhouse/clickhouse-figures.ts';

/** On whose behalf a query runs, under which id, and until when. */
export interface QueryRequest {
  readonly queryId: string;
  readonly organisationId: number;
  readonly route: string;
  /** Label of the metrics: metric_data, explain, export … */
  readonly kind: QuestionKind;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  readonly cost: QueryCost;
}

/** What the queries of one request cost, as far as it is known; filled while they run, for the audit. */
export interface QueryCost {
  queryId?: string;
  rowsRead: number;
  bytesRead: number;
  rows: number;
  bytesReturned: number;
}

export function noCost(): QueryCost {
  return { rowsRead: 0, bytesRead: 0, rows: 0, bytesReturned: 0 };
}
