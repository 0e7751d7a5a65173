import type { RequestHandler } from 'express';
import { traced } from '../../shared/tracing/traced.ts';
import { compileMetricQuery } from '../compiler/compile-metric-query.ts';
import { frameMetricData } from '../execution/frame-rows.ts';
import { queryRequest } from '../execution/query-request.ts';
import { sendStream } from '../execution/send-stream.ts';
import { parseMetricQuery } from '../request/parse-metric-query.ts';
import { parseContext, type QueryTools } from './query-tools.ts';

export function postMetricData(tools: QueryTools): RequestHandler {
  return async (req, res) => {
    const context = await parseContext(tools, res);
    const compiled = traced('compile', {}, () =>
      compileMetricQuery(parseMetricQuery(req.body, context)),
    );
    const request = queryRequest(req, res, 'metric_data');
    const rows = tools.runner.runQuery(compiled, request);
    const hasSeries = compiled.seriesColumns.length > 0;
    await sendStream(res, frameMetricData(rows, request.cost, hasSeries), request);
  };
}
