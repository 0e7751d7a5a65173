import type { RequestHandler } from 'express';
import { traced } from '../../shared/tracing/traced.ts';
import { compileTestQuery } from '../compiler/compile-test-query.ts';
import { frameTestData } from '../execution/frame-rows.ts';
import { queryRequest } from '../execution/query-request.ts';
import { sendStream } from '../execution/send-stream.ts';
import { parseTestQuery } from '../request/parse-test-query.ts';
import { parseContext, type QueryTools } from './query-tools.ts';

export function postTestData(tools: QueryTools): RequestHandler {
  return async (req, res) => {
    const context = await parseContext(tools, res);
    const compiled = traced('compile', {}, () =>
      compileTestQuery(parseTestQuery(req.body, context)),
    );
    const request = queryRequest(req, res, 'test_data');
    const rows = tools.runner.runQuery(compiled, request);
    await sendStream(res, frameTestData(rows, request.cost), request);
  };
}
