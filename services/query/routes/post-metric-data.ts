import { traced } from '../../shared/tracing/traced.ts';
import type { AuditedHandler } from '../audit/audited.ts';
import { compileMetricQuery } from '../compiler/compile-metric-query.ts';
import { parseMetricQuery } from '../request/parse-metric-query.ts';
import { frameMetricData } from '../response/frame-rows.ts';
import { responseFormat } from '../response/response-format.ts';
import { setClock } from '../response/set-clock.ts';
import { queryRequest } from './query-request.ts';
import { metricContext, type QueryTools, warningsOf } from './query-tools.ts';
import { sendData } from './send-data.ts';

export function postMetricData(tools: QueryTools): AuditedHandler {
  return async (req, res, cost) => {
    const context = await metricContext(tools, req, res);
    const format = responseFormat(req);
    const { compiled, warnings } = traced('compile', {}, () => {
      const query = parseMetricQuery(req.body, context);
      const numberLists = format === 'json' ? 'objects' : 'columns';
      return {
        compiled: compileMetricQuery(query, { numberLists }),
        warnings: warningsOf(tools, query),
      };
    });
    const request = queryRequest(req, res, 'metric_data', cost);
    setClock(res, 'metric_data');
    await sendData(tools, res, { format, compiled, request, warnings, frame: frameMetricData });
  };
}
