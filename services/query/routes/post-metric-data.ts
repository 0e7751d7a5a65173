import { traced } from '../../shared/tracing/traced.ts';
import type { AuditedHandler } from '../audit/audited.ts';
import { compileMetricQuery } from '../compiler/compile-metric-query.ts';
import { parseMetricQuery } from '../request/parse-metric-query.ts';
import { frameMetricData } from '../response/frame-rows.ts';
import { setClock } from '../response/set-clock.ts';
import { sendStream } from '../response/send-stream.ts';
import { queryRequest } from './query-request.ts';
import { metricContext, type QueryTools, warningsOf } from './query-tools.ts';

export function postMetricData(tools: QueryTools): AuditedHandler {
  return async (req, res, cost) => {
    const context = await metricContext(tools, req, res);
    const { compiled, warnings } = traced('compile', {}, () => {
      const query = parseMetricQuery(req.body, context);
      return { compiled: compileMetricQuery(query), warnings: warningsOf(tools, query) };
    });
    const request = queryRequest(req, res, 'metric_data', cost);
    setClock(res, 'metric_data');
    const rows = tools.runner.runQuery(compiled, request);
    await sendStream(res, frameMetricData(rows, compiled, cost, warnings), request);
  };
}
