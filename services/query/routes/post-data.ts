import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { clientDisconnect, ClientDisconnectedError } from '../../shared/http/client-disconnect.ts';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf, requestIdOf } from '../../shared/http/request-context.ts';
import { routePattern } from '../../shared/http/request-metrics.ts';
import { auditContextOf } from '../audit/audit-context.ts';
import { explainQuery } from '../execution/explain-query.ts';
import type { QueryKind, QueryRequest } from '../execution/query-request.ts';
import { explainedMethod } from '../request/fields/method.ts';
import { responseFormat } from '../response/response-format.ts';
import { setClock } from '../response/set-clock.ts';
import type { DataKind } from './data-kinds.ts';
import type { QueryTools } from './query-tools.ts';
import { sendData } from './send-data.ts';

/** `POST /metric_data` and `/test_data`. */
export function postData(tools: QueryTools, { kind, reader }: DataKind): RequestHandler {
  return async (req, res) => {
    const read = await reader(tools, req, res);
    const format = responseFormat(req);
    const data = await read(req.body, format);
    const request = queryRequest(req, res, kind);
    setClock(res, kind);
    await sendData(tools, res, { ...data, kind, format, request });
  };
}

export function explainData(tools: QueryTools, { reader }: DataKind): RequestHandler {
  return async (req, res) => {
    const read = await reader(tools, req, res);
    const { compiled, warnings } = await read(req.body, 'json');
    const request = queryRequest(req, res, 'explain');
    try {
      const data = await explainQuery(tools.runner, compiled, tools.config, request);
      const method = explainedMethod(req.body);
      await sendOk(res, { data: { ...data, ...(method && { method }) }, warnings: await warnings });
    } catch (error) {
      if (!(error instanceof ClientDisconnectedError)) throw error;
    }
  };
}

/** Sets the query id, sends it as X-Query-Id, and aborts on client disconnect. */
function queryRequest(req: Request, res: Response, kind: QueryKind): QueryRequest {
  const { cost } = auditContextOf(res);
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
