import { Problems } from '../../shared/errors/problems.ts';
import { shortened } from '../../shared/errors/shortened.ts';
import { excludedMetrics, excludedMetricsKey } from '../../catalog/excluded-metrics.ts';
import type { Field } from '../../catalog/field.ts';
import type { Metric } from '../../catalog/metric.ts';
import { methods } from '../../catalog/methods.ts';
import { findMetric, metrics } from '../../catalog/metrics.ts';
import { aggregationKeys, type Aggregation } from '../../catalog/aggregations.ts';
import type { MetricQuery } from './metric-query.ts';
import { noGrants, oneOf, suggestion } from './suggestion.ts';
import type { ParseContext } from './parse-context.ts';
import { parseFilters } from './parse-filters.ts';
import { parseKnownAt } from './parse-known-at.ts';
import { parseMetricTimes } from './parse-metric-time.ts';
import { requireFloor } from './privacy-floor.ts';
import { expandMethod, findMethod } from './report/expand-method.ts';
import { parseReport, reportFields } from './report/parse-report.ts';
import { parseWindow } from './report/parse-window.ts';
import { isObject, warnOfUnknownFields, requiredBoolean, type Json } from './request-body.ts';
import { resolveField } from './resolve-field.ts';

/** Parses a request body. Throws a VALIDATION_FAIL that lists all problems, or a PRIVACY_FLOOR. */
export function parseMetricQuery(sent: unknown, context: ParseContext): MetricQuery {
  const problems = new Problems();
  const body = expandMethod(sent);
  const request = isObject(body) ? body : {};
  if (!isObject(body)) problems.add('body', 'Send a JSON object.');
  parseMethod(request.method, problems);
  warnOfUnknownFields(request, bodyFields, '', problems.warnings);

  const metric = parseMetric(request.metric, context, problems);
  const chartType = parseChartType(request.chartType, metric, problems);
  const aggregation = parseAggregation(request.aggregation, chartType, problems);
  const resolve = fieldResolver(metric, context, problems);
  const options = {
    normalised: requiredBoolean(request, 'normalised', problems),
    prefilter: requiredBoolean(request, 'prefilter', problems),
    agentAgg: parseAgentAgg(request, problems),
    splits: parseSplits(request.splits, resolve, context.limits.maxSplits, problems),
    filters: parseFilters(request.filters, resolve, context, problems),
  };
  const times = parseMetricTimes(request, context.now, context.limits.maxRangeDays, problems);
  const window = parseWindow(request.window, problems);
  if (window !== null && metric?.test === 'panel') {
    problems.warnings.add('PERIOD_START', 'window', periodStart);
  }
  const knownAt = parseKnownAt(request.knownAt, context, problems);

  const report = parseReport(
    request,
    {
      chartType,
      hasBuckets: aggregation !== 'total',
      agentAgg: options.agentAgg,
      metric,
      splits: options.splits,
      hasFloor: context.minAgents > 0,
      filters: options.filters,
      times,
      now: context.now,
      resolve,
      ranges: context.numberRanges,
      hasKnownAt: knownAt !== null,
    },
    problems,
  );

  problems.throwIfAny();
  if (metric === null || times.length === 0) throw new Error('A problem was not reported');
  const { organisationId, minAgents } = context;
  // The history of knownAt is read from Postgres, where it is complete.
  const behind = knownAt === null ? context.metadataWarnings : [];
  const warnings = [...behind, ...problems.warnings.list];
  const exclusions = context.customKeys.includes(excludedMetricsKey)
    ? { exclusions: excludedMetrics }
    : {};
  const query = {
    organisationId,
    metric,
    ...options,
    times,
    ...(window && { window }),
    ...exclusions,
    ...(knownAt && { knownAt }),
    warnings,
  };
  if (chartType === null) throw new Error('A problem was not reported');
  requireFloor(minAgents, { splits: options.splits, filters: options.filters, chartType });
  if (chartType === 'raw') return { ...query, chartType };
  if (aggregation === null) throw new Error('A problem was not reported');
  const floor = minAgents === 0 ? {} : { floor: Math.max(minAgents, report?.minAgents ?? 0) };
  return {
    ...query,
    chartType,
    aggregation,
    ...(report && { report: { ...report, ...exclusions } }),
    ...floor,
  };
}

const periodStart =
  'A published result belongs to the midnight at which its period begins, so a window keeps only periods that begin in it. Leave it out; the metrics that end with Busy are of busy hours.';

const bodyFields = [
  'metric',
  'chartType',
  'aggregation',
  'normalised',
  'prefilter',
  'agent_agg',
  'splits',
  'filters',
  'time',
  'times',
  'window',
  'knownAt',
  'method',
  ...reportFields,
];

function parseMethod(method: unknown, problems: Problems): void {
  if (method === undefined || method === null) return;
  if (typeof method === 'string' && findMethod(method) !== undefined) return;
  const keys = methods.map(({ key }) => key);
  const word = typeof method === 'string' ? method : JSON.stringify(method);
  problems.add('method', `Unknown method. ${suggestion(word, keys)}`);
}

// A metric that is not granted is reported as unknown.
function parseMetric(key: unknown, context: ParseContext, problems: Problems): Metric | null {
  const allowed = metrics.filter(
    (metric) => context.metrics === 'all' || context.metrics.includes(metric.key),
  );
  if (typeof key !== 'string') {
    return problems.add('metric', 'Required: send the key of a metric. GET /metrics lists them.');
  }
  const metric = findMetric(key);
  if (metric !== undefined && allowed.includes(metric)) return metric;
  const names = allowed.flatMap((candidate) => [candidate.key, ...candidate.aliases]);
  return problems.add(
    'metric',
    `Unknown metric ${JSON.stringify(shortened(key))}. ${suggestion(key, names, noGrants('metric'))}`,
  );
}

function parseChartType(
  chartType: unknown,
  metric: Metric | null,
  problems: Problems,
): MetricQuery['chartType'] | null {
  if (chartType !== 'raw' && chartType !== 'aggregate') {
    return problems.add('chartType', 'Send "raw" or "aggregate".');
  }
  if (chartType === 'raw' && metric?.raw === false) {
    return problems.add('chartType', `${metric.key} has no raw data. Send "aggregate".`);
  }
  return chartType;
}

function parseAggregation(
  aggregation: unknown,
  chartType: MetricQuery['chartType'] | null,
  problems: Problems,
): Aggregation | null {
  if (aggregation === undefined || aggregation === null) {
    return chartType === 'aggregate'
      ? problems.add(
          'aggregation',
          `Required with "chartType": "aggregate". Send ${oneOf(aggregationKeys)}.`,
        )
      : null;
  }
  const known = aggregationKeys.find((candidate) => candidate === aggregation);
  if (known !== undefined) return known;
  const sent = typeof aggregation === 'string' ? aggregation : JSON.stringify(aggregation);
  return problems.add('aggregation', `Unknown aggregation. ${suggestion(sent, aggregationKeys)}`);
}

function parseAgentAgg(request: Json, problems: Problems): boolean {
  return request.agent_agg === undefined ? false : requiredBoolean(request, 'agent_agg', problems);
}

/** Without a valid metric, accepts the fields of any metric. */
function fieldResolver(
  metric: Metric | null,
  { customKeys, metadataWarnings }: ParseContext,
  problems: Problems,
): (name: unknown, path: string) => Field | null {
  const keys = new Set(customKeys);
  // The field may be a custom key that is not published yet.
  const ifUnknown = metadataWarnings.map(({ message }) => ` ${message}`).join('');
  return (name, path) => {
    if (typeof name !== 'string')
      return problems.add(path, 'Send the name of a field, such as "isp".');
    const field = resolveField(name, metric, keys, ifUnknown);
    return 'problem' in field ? problems.add(path, field.problem) : field;
  };
}

function parseSplits(
  splits: unknown,
  resolve: (name: unknown, path: string) => Field | null,
  maxSplits: number,
  problems: Problems,
): readonly Field[] {
  if (splits === undefined || splits === null) return [];
  if (!Array.isArray(splits)) {
    problems.add('splits', 'Send a list of names, such as ["isp"].');
    return [];
  }
  if (splits.length > maxSplits) {
    problems.add('splits', `${splits.length} splits; send at most ${maxSplits}.`);
    return [];
  }
  const seen = new Set<string>();
  return splits.flatMap((name: unknown, i) => {
    const field = resolve(name, `splits[${i}]`);
    if (field === null) return [];
    // `tier` and `custom.tier` are one field.
    const source = JSON.stringify(field.source);
    if (seen.has(source)) problems.add(`splits[${i}]`, 'Duplicate split. Send each split once.');
    seen.add(source);
    return [field];
  });
}
