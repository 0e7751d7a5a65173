/** The context of a query: its id, its organisation, and the signal that aborts it. */
export interface QueryRequest {
  readonly queryId: string;
  readonly organisationId: number;
  readonly route: string;
  readonly kind: QueryKind;
  /** Aborted when the client disconnects, or by `abort`. */
  readonly signal: AbortSignal;
  /** Ends the request: a client that has stopped reading its response would never see the error. */
  readonly abort: (error: Error) => void;
  readonly cost: QueryCost;
}

/** The label of a query in metrics and traces. */
export type QueryKind = 'metric_data' | 'test_data' | 'explain' | 'export';

/** The cost of a request's queries, updated while they run, for the audit. */
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
