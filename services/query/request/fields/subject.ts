import { type Aggregation, aggregationKeys } from '../../../catalog/aggregations.ts';
import type { Metric } from '../../../catalog/metric.ts';
import { findMetric, metrics } from '../../../catalog/metrics.ts';
import { shortened } from '../../../shared/errors/shortened.ts';
import type { MetricQuery } from '../metric-query.ts';
import type { MetricScope, Parsing } from '../parse-context.ts';
import { noGrants, oneOf, suggestion } from '../suggestion.ts';
import type { RequestFields } from './request-field.ts';
import { choice, trueOrFalse } from './shapes.ts';

const chartTypes = choice('raw', 'aggregate');

/** The metric, and how its results are aggregated. */
export const subjectFields = {
  metric: {
    schema: { type: 'string', minLength: 1 },
    isRequired: true,
    about: 'A key or alias of `GET /metrics`.',
    flags: {
      metric: {
        value: 'KEY',
        about: 'the same as METRIC',
        values: metrics.map(({ key }) => key),
      },
    },
  },
  chartType: {
    component: 'ChartType',
    ...chartTypes,
    isRequired: true,
    about: 'Some metrics have no raw data; see `chartTypes` in `GET /metrics`.',
    flags: { raw: { about: 'single results instead of aggregates' } },
  },
  aggregation: {
    component: 'Aggregation',
    schema: { type: 'string', enum: aggregationKeys },
    about: 'Required if `chartType` is `aggregate`; ignored for `raw`.',
    flags: {
      aggregation: {
        value: 'NAME',
        short: 'a',
        about: `${aggregationKeys.join(', ')}; default: daily, or total with a comparison`,
        values: aggregationKeys,
      },
    },
  },
  normalised: {
    ...trueOrFalse,
    isRequired: true,
    about:
      'Gives equal weight to every block of hours in which the test runs, within a block to every agent, and within an agent to every result. Has no effect on `raw`.',
    flags: { normalised: { about: 'equal weight to every block of hours' } },
  },
  prefilter: {
    ...trueOrFalse,
    isRequired: true,
    about: 'Excludes results that are impossible, very unlikely or unreliable.',
    flags: { 'no-prefilter': { about: 'also implausible and unreliable results' } },
  },
  agent_agg: {
    ...trueOrFalse,
    default: false,
    about:
      'Averages the results of each agent per bucket first, so that each household counts once.',
  },
} satisfies RequestFields;

// A metric that is not granted is reported as unknown.
export function parseMetric(key: unknown, { metrics: granted, problems }: Parsing): Metric | null {
  const allowed = metrics.filter((metric) => granted === 'all' || granted.includes(metric.key));
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

export function parseChartType(scope: MetricScope): MetricQuery['chartType'] | null {
  const { request, metric } = scope;
  const chartType = chartTypes.parse(request.chartType, 'chartType', scope);
  if (chartType === 'raw' && metric?.raw === false) {
    return scope.problems.add('chartType', `${metric.key} has no raw data. Send "aggregate".`);
  }
  return chartType;
}

export function parseAggregation(
  chartType: MetricQuery['chartType'] | null,
  { request: { aggregation }, problems }: MetricScope,
): Aggregation | null {
  if (aggregation === undefined) {
    if (chartType !== 'aggregate') return null;
    const required = 'Required with "chartType": "aggregate".';
    return problems.add('aggregation', `${required} Send ${oneOf(aggregationKeys)}.`);
  }
  const known = aggregationKeys.find((candidate) => candidate === aggregation);
  if (known !== undefined) return known;
  const sent = typeof aggregation === 'string' ? aggregation : JSON.stringify(aggregation);
  return problems.add('aggregation', `Unknown aggregation. ${suggestion(sent, aggregationKeys)}`);
}

export function parseBoolean(
  name: 'normalised' | 'prefilter' | 'agent_agg',
  scope: MetricScope,
): boolean {
  const value = scope.request[name];
  if (value !== undefined) return trueOrFalse.parse(value, name, scope) ?? false;
  const { default: fallback } = subjectFields[name] as { default?: boolean };
  return fallback ?? scope.problems.add(name, 'Required: send true or false.') ?? false;
}
