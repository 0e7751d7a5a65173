import type { RequestHandler } from 'express';
import { compileTestQuery } from '../compiler/compile-test-query.ts';
import { frameTestData } from '../execution/frame-rows.ts';
import { queryRequest } from '../execution/query-request.ts';
import { sendStream } from '../execution/send-stream.ts';
import { parseTestQuery } from '../request/parse-test-query.ts';
import { parseContext, type QueryTools } from './query-tools.ts';

export function postTestData(tools: QueryTools): RequestHandler {
  return async (req, res) => {
    const query = parseTestQuery(req.body, await parseContext(tools, res));
    const request = queryRequest(req, res);
    const rows = tools.runner.runQuery(compileTestQuery(query), request);
    await sendStream(res, frameTestData(rows, request.cost), request);
  };
}
