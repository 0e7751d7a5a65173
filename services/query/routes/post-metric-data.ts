import type { RequestHandler } from 'express';
import { compileMetricQuery } from '../compiler/compile-metric-query.ts';
import { frameMetricData } from '../execution/frame-rows.ts';
import { queryRequest } from '../execution/query-request.ts';
import { sendStream } from '../execution/send-stream.ts';
import { parseMetricQuery } from '../request/parse-metric-query.ts';
import { parseContext, type QueryTools } from './query-tools.ts';

export function postMetricData(tools: QueryTools): RequestHandler {
  return async (req, res) => {
    const query = parseMetricQuery(req.body, await parseContext(tools, res));
    const compiled = compileMetricQuery(query);
    const request = queryRequest(req, res);
    const rows = tools.runner.runQuery(compiled, request);
    const hasSeries = compiled.seriesColumns.length > 0;
    await sendStream(res, frameMetricData(rows, request.cost, hasSeries), request);
  };
}
