import type { Response } from 'express';
import { traced } from '../../shared/tracing/traced.ts';
import type { AuditedHandler } from '../audit/audited.ts';
import { isStorable } from '../cache/plan-pieces.ts';
import { compileMetricQuery } from '../compiler/compile-metric-query.ts';
import { parseMetricQuery } from '../request/parse-metric-query.ts';
import { frameMetricData } from '../response/frame-rows.ts';
import {
  extremeZones,
  needsZones,
  wholeBuckets,
  type WholeBuckets,
} from '../response/whole-buckets.ts';
import { responseFormat } from '../response/response-format.ts';
import { setClock } from '../response/set-clock.ts';
import type { MetricQuery } from '../request/metric-query.ts';
import { metadataVersionsOf } from './metadata-version.ts';
import { queryRequest } from './query-request.ts';
import { metricContext, type QueryTools, warningsOf } from './query-tools.ts';
import { sendData } from './send-data.ts';

export function postMetricData(tools: QueryTools): AuditedHandler {
  return async (req, res, cost) => {
    const context = await metricContext(tools, req, res);
    const format = responseFormat(req);
    const { query, compiled, warnings, storable } = traced('compile', {}, () => {
      const query = parseMetricQuery(req.body, context);
      const options = { numberLists: format === 'json' ? 'objects' : 'columns' } as const;
      return {
        query,
        compiled: compileMetricQuery(query, options),
        warnings: warningsOf(tools, query),
        ...(isStorable(query) && { storable: { query, options, now: context.now } }),
      };
    });
    const request = queryRequest(req, res, 'metric_data', cost);
    setClock(res, 'metric_data');
    const whole = await wholeBucketsOf(tools, res, query, context.now);
    const answer = { format, compiled, request, warnings, ...(storable && { storable }) };
    await sendData(tools, res, { ...answer, ...(whole && { whole }), frame: frameMetricData });
  };
}

async function wholeBucketsOf(
  { agentZones, logger }: QueryTools,
  res: Response,
  query: MetricQuery,
  now: Date,
): Promise<readonly WholeBuckets[] | undefined> {
  // The zones that were recorded at an earlier moment may be any.
  if (query.knownAt !== undefined || !needsZones(query, now)) {
    return wholeBuckets(query, now, extremeZones);
  }
  const { published } = metadataVersionsOf(res);
  const zones = await agentZones.of(query.organisationId, published).catch((error: unknown) => {
    // The query will report that ClickHouse failed.
    logger.warn('could not read the time zones of agents', { error: String(error) });
    return extremeZones;
  });
  return wholeBuckets(query, now, zones);
}
