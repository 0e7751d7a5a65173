import { traced } from '../../shared/tracing/traced.ts';
import type { AuditedHandler } from '../audit/audited.ts';
import { isStorable } from '../cache/plan-pieces.ts';
import { compileMetricQuery } from '../compiler/compile-metric-query.ts';
import { emptyAnswerWarnings } from '../listing/empty-answer-warnings.ts';
import { visibleMetrics } from '../listing/visible-catalog.ts';
import { parseMetricQuery } from '../request/parse-metric-query.ts';
import { frameMetricData } from '../response/frame-rows.ts';
import { responseFormat } from '../response/response-format.ts';
import { setClock } from '../response/set-clock.ts';
import { queryRequest } from './query-request.ts';
import { metricContext, type QueryTools, warningsOf } from './query-tools.ts';
import { sendData } from './send-data.ts';
import { wholeBucketsOf } from './whole-buckets-of.ts';

export function postMetricData(tools: QueryTools): AuditedHandler {
  return async (req, res, cost) => {
    const context = await metricContext(tools, req, res);
    const format = responseFormat(req);
    const { query, compiled, warnings, whole, storable } = await traced('compile', {}, async () => {
      const query = parseMetricQuery(req.body, context);
      const warnings = warningsOf(tools, query);
      const whole = await wholeBucketsOf(tools, res, query, context.now);
      const options = { numberLists: format === 'json' ? 'objects' : 'columns' } as const;
      return {
        query,
        // Other formats are stored, or share what is stored, so their points are marked afterwards.
        compiled: compileMetricQuery(query, {
          ...options,
          ...(format === 'csv' && whole && { whole }),
        }),
        warnings,
        whole,
        ...(isStorable(query) && { storable: { query, options, now: context.now } }),
      };
    });
    const request = queryRequest(req, res, 'metric_data', cost);
    setClock(res, 'metric_data');
    const ifEmpty = () =>
      emptyAnswerWarnings(tools, query.metric, visibleMetrics(context), request);
    const answer = { format, compiled, request, warnings, ifEmpty, ...(storable && { storable }) };
    await sendData(tools, res, { ...answer, ...(whole && { whole }), frame: frameMetricData });
  };
}
