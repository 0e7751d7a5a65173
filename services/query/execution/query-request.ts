import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { routePattern } from '../../shared/http/request-metrics.ts';
import { callerOf, requestIdOf } from '../../shared/http/request-context.ts';

/** The label of a query in metrics and traces. */
type QueryKind = 'metric_data' | 'test_data' | 'explain' | 'export';

/** What a query did, as far as it is known; filled while it runs, read by the audit. */
export interface QueryCost {
  queryId?: string;
  rowsRead: number;
  bytesRead: number;
  rows: number;
  bytesReturned: number;
}

/** On whose behalf a query runs, under which id, and until when. */
export interface QueryRequest {
  readonly queryId: string;
  readonly organisationId: number;
  readonly route: string;
  readonly kind: QueryKind;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
  readonly cost: QueryCost;
}

/** Names the query of this request, tells the caller that name, and watches whether he stays. */
export function queryRequest(req: Request, res: Response, kind: QueryKind): QueryRequest {
  const queryId = uniqueQueryId(req, res);
  res.set('X-Query-Id', queryId);
  const cost = queryCostOf(res);
  cost.queryId = queryId;
  return {
    queryId,
    organisationId: callerOf(res).organisationId,
    route: `${req.method} ${routePattern(req)}`,
    kind,
    signal: requestSignal(res),
    cost,
  };
}

export function queryCostOf(res: Response): QueryCost {
  const locals = res.locals as { queryCost?: QueryCost };
  return (locals.queryCost ??= { rowsRead: 0, bytesRead: 0, rows: 0, bytesReturned: 0 });
}

// ClickHouse refuses a second query of the same id while the first runs, and a client may send the
// same X-Request-Id with every request.
function uniqueQueryId(req: Request, res: Response): string {
  const requestId = requestIdOf(res);
  return req.get('x-request-id') === requestId ? `${requestId}.${randomUUID()}` : requestId;
}

function requestSignal(res: Response): AbortSignal {
  const controller = new AbortController();
  const onClose = () => {
    if (!res.writableFinished) controller.abort(new CallerLeft());
  };
  if (res.destroyed) onClose();
  else res.once('close', onClose);
  return controller.signal;
}

/** Not an error of anyone: the answer has no reader any more. */
export class CallerLeft extends Error {
  constructor() {
    super('The caller left before the answer was complete');
    this.name = 'CallerLeft';
  }
}
