import { excludedMetrics, excludedMetricsKey } from '../../catalog/excluded-metrics.ts';
import { Problems } from '../../shared/errors/problems.ts';
import { canonicalRequest } from './canonical-request.ts';
import { parseKnownAt } from './fields/known-at.ts';
import { parseMethod } from './fields/method.ts';
import { metricFieldNames } from './fields/metric-fields.ts';
import { parseReport } from './fields/report-fields.ts';
import { parseFilters, parseSplits } from './fields/splits-and-filters.ts';
import { parseAggregation, parseBoolean, parseChartType, parseMetric } from './fields/subject.ts';
import { parseMetricTimes } from './fields/time.ts';
import { windowFields } from './fields/window.ts';
import type { MetricQuery } from './metric-query.ts';
import type { ParseContext } from './parse-context.ts';
import { requireFloor } from './privacy-floor.ts';
import { refuseBeyondCells } from './refuse-beyond-cells.ts';
import { isObject, warnOfUnknownFields } from './request-body.ts';
import { fieldResolver } from './resolve-field.ts';

/** Parses a request body. Throws a VALIDATION_FAIL that lists all problems, or a PRIVACY_FLOOR. */
export function parseMetricQuery(sent: unknown, context: ParseContext): MetricQuery {
  const problems = new Problems();
  const parsing = { ...context, problems };
  const request = canonicalRequest(sent);
  if (!isObject(sent)) problems.add('body', 'Send a JSON object.');
  parseMethod(request.method, parsing);
  warnOfUnknownFields(isObject(sent) ? sent : {}, metricFieldNames, '', problems.warnings);

  const metric = parseMetric(request.metric, parsing);
  const scope = { ...parsing, request, metric, resolve: fieldResolver(metric, parsing) };
  const chartType = parseChartType(scope);
  const aggregation = parseAggregation(chartType, scope);
  const options = {
    normalised: parseBoolean('normalised', scope),
    prefilter: parseBoolean('prefilter', scope),
    agentAgg: parseBoolean('agent_agg', scope),
    splits: parseSplits(scope),
    filters: parseFilters(scope),
    times: parseMetricTimes(request, scope),
  };
  const window =
    request.window === undefined
      ? null
      : windowFields.window.parse(request.window, 'window', scope);
  const knownAt = parseKnownAt(request.knownAt, parsing);
  const hasHouseholds = options.agentAgg || request.household !== undefined;
  const report = parseReport(chartType, { ...scope, ...options, aggregation, hasHouseholds });

  refuseBeyondCells(aggregation, scope);

  const windows = [
    ['window', window],
    ['compare[window]', report?.compare?.there.window],
  ] as const;
  for (const [field, sent] of windows) {
    if (metric?.test !== 'panel' || (sent ?? null) === null) continue;
    problems.warnings.add('PERIOD_START', field, periodStart);
  }

  problems.throwIfAny();
  if (metric === null || chartType === null) throw new Error('A problem was not reported');
  const { organisationId, minAgents, metadataWarnings, customKeys } = context;
  requireFloor(minAgents, { ...options, chartType });
  requireFloor(
    minAgents,
    { chartType, splits: [], filters: report?.compare?.there.filters ?? [] },
    'compare',
  );
  // The history of knownAt is read from Postgres, where it is complete.
  const behind = knownAt === null ? metadataWarnings : [];
  const query = {
    organisationId,
    metric,
    ...options,
    ...(window && { window }),
    ...(customKeys.includes(excludedMetricsKey) && { exclusions: excludedMetrics }),
    ...(knownAt && { knownAt }),
    warnings: [...behind, ...problems.warnings.list],
  };
  if (chartType === 'raw') return { ...query, chartType };
  if (aggregation === null) throw new Error('A problem was not reported');
  return {
    ...query,
    chartType,
    aggregation,
    ...(report && { report }),
    ...(minAgents > 0 && { floor: Math.max(minAgents, report?.minAgents ?? 0) }),
  };
}

const periodStart =
  'Published results have the time of the midnight at which their period begins, so a window cannot select busy hours. Leave it out; metrics that end with Busy are of busy hours.';
