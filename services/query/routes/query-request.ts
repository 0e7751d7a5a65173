import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { callerOf, requestIdOf } from '../../shared/http/request-context.ts';
import { routePattern } from '../../shared/http/request-metrics.ts';
import type { QueryCost, QueryKind, QueryRequest } from '../execution/query-request.ts';
import { clientDisconnect } from '../../shared/http/client-disconnect.ts';

/** Sets the query id, sends it as X-Query-Id, and aborts on client disconnect. */
export function queryRequest(
  req: Request,
  res: Response,
  kind: QueryKind,
  cost: QueryCost,
): QueryRequest {
  const queryId = uniqueQueryId(req, res);
  res.set('X-Query-Id', queryId);
  cost.queryId = queryId;
  const controller = clientDisconnect(res);
  return {
    queryId,
    organisationId: callerOf(res).organisationId,
    route: `${req.method} ${routePattern(req)}`,
    kind,
    signal: controller.signal,
    abort: (error) => controller.abort(error),
    cost,
  };
}

// ClickHouse refuses a query whose id is already running, and a client may send the same
// X-Request-Id with every request.
function uniqueQueryId(req: Request, res: Response): string {
  const requestId = requestIdOf(res);
  return req.get('x-request-id') === requestId ? `${requestId}.${randomUUID()}` : requestId;
}
