import fc from 'fast-check';
import { hasSchedule } from '../reference/coverage.ts';
import { metricDefinitions } from '../reference/metric-definitions.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import type { Panel } from '../reference/panel.ts';
import { customValues } from './random-history.ts';
import {
  reportValues,
  windowArbitrary,
  withoutHouseholdFields,
  withPossibleShares,
} from './report-values.ts';
import { requestArbitrary } from './request-arbitrary.ts';
import { mayHaveCompare, withCompare } from './with-compare.ts';

/** Valid aggregate requests with any of the fields of reports, a third with `compare`; `fixed` are the same in all. */
export function reportArbitrary(
  panel: Panel,
  fixed: ReportFields = {},
  metrics?: readonly string[],
): fc.Arbitrary<MetricRequest> {
  return reportOfOneSide(panel, fixed, metrics).chain((request) =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constant(request) },
      {
        weight: 1,
        arbitrary: mayHaveCompare(request) ? withCompare(panel, request) : fc.constant(request),
      },
    ),
  );
}

/** Reports with `compare` whose points have many households: few series, long buckets, results before and after. */
export function comparisonArbitrary(
  panel: Panel,
  metrics?: readonly string[],
): fc.Arbitrary<MetricRequest> {
  const wide: fc.Arbitrary<ReportFields> = fc.record({
    aggregation: fc.constantFrom('total', 'weekly', 'monthly', 'day_of_week'),
    splits: fc.constantFrom([], ['isp'], ['country']),
    filters: fc.constant([]),
    times: fc.constant([{ from: '2026-10-12', to: '2026-11-01' }]),
  });
  return wide
    .chain((fixed) => reportOfOneSide(panel, fixed, metrics))
    .filter(mayHaveCompare)
    .chain((request) => withCompare(panel, request));
}

function reportOfOneSide(
  panel: Panel,
  fixed: ReportFields,
  metrics: readonly string[] | undefined,
): fc.Arbitrary<MetricRequest> {
  return requestArbitrary(panel, metrics)
    .filter(({ chartType }) => chartType === 'aggregate')
    .chain((request) => fields(request).map((own) => valid({ ...request, ...own, ...fixed })));
}

/** Requests of one of `reportCases`: the other fields are random, without those of reports. */
export function reportCaseArbitrary(
  panel: Panel,
  fields: ReportFields,
): fc.Arbitrary<MetricRequest> {
  const all = { times: [{ from: '2026-09-27', to: '2026-11-06' }], prefilter: false, filters: [] };
  return requestArbitrary(panel)
    .filter(({ chartType }) => chartType === 'aggregate')
    .map((request) => valid({ ...request, ...all, ...fields }));
}

const mornings = { hours: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] };
const one = { agent_agg: false, aggregation: 'total', splits: [] } as const;
const mean = { statistic: 'mean' } as const;

/** Each rule of stays, weights, trims and comparisons decides the numbers of at least one. The panel has households for them. */
export const reportCases: readonly ReportFields[] = [
  { ...one, metric: 'httpget', switchers: 'longest', window: mornings, householdIntervals: true },
  {
    ...one,
    metric: 'httpget',
    switchers: 'longest',
    household: { statistic: 'p20' },
    weight: 'weight',
    normalised: false,
  },
  { ...one, metric: 'httpget', switchers: 'drop', household: mean, splits: ['isp'] },
  {
    ...one,
    household: { ...mean, minDays: 2 },
    weight: 'custom.weight',
    relativeTo: 'advertised',
    consistent: { households: 33.3, results: 20 },
    shares: [1, 30, 100],
    sharesAtMost: [30, 60],
  },
  {
    ...one,
    aggregation: 'weekly',
    household: { ...mean, trim: [10, 60], trimOver: 'range', minResults: 2 },
    window: mornings,
    relativeTo: { field: 'advertised', of: 'result' },
  },
  {
    ...one,
    metric: 'httpget',
    aggregation: 'monthly',
    normalised: true,
    household: { statistic: 'median', trim: [25, null], minDays: 3 },
    weight: 'weight',
    consistent: { households: 50, results: 80 },
  },
  { ...one, metric: 'httpget', household: mean, strata: 'isp', intervalsOf: [50], shares: [30] },
  { ...one, metric: 'httpget', householdIntervals: true, strata: 'isp' },
  {
    ...one,
    metric: 'httpget',
    aggregation: 'weekly',
    household: mean,
    weight: 'weight',
    weightReplicates: true,
    householdIntervals: true,
    intervalsOf: [20],
    shares: [30],
  },
  {
    ...one,
    metric: 'httpget',
    // From the day on which the tied households change their package.
    times: [{ from: '2026-10-12', to: '2026-11-05' }],
    household: mean,
    compare: { time: { from: '2026-09-17', to: '2026-10-11' } },
  },
  {
    ...one,
    metric: 'httpget',
    aggregation: 'weekly',
    times: [{ from: '2026-10-12', to: '2026-10-25' }],
    household: mean,
    compare: { time: { from: '2026-09-28 00:00', to: '2026-10-11 23:59' }, agents: 'both' },
  },
  { ...one, metric: 'httpget', splits: ['isp'], compare: { to: 'rest' } },
  {
    ...one,
    metric: 'httpget',
    times: [{ from: '2026-10-12', to: '2026-11-05' }],
    household: mean,
    weight: 'custom.weight',
    weightReplicates: true,
    compare: { time: { from: '2026-09-17', to: '2026-10-11' } },
  },
];

export type ReportFields = Partial<Omit<MetricRequest, 'chartType'>>;

/** Households or not, and mostly a few other fields, as in real reports; sometimes any number of them. */
function fields(request: MetricRequest): fc.Arbitrary<ReportFields> {
  const others = Object.entries(valuesOf(request));
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.subarray(others, { minLength: 1, maxLength: 4 }) },
      { weight: 1, arbitrary: fc.subarray(others, { minLength: 5 }) },
    )
    .chain((chosen) =>
      fc.record(
        { household: household(), ...Object.fromEntries(chosen) },
        { requiredKeys: chosen.map(([name]) => name) as 'household'[] },
      ),
    );
}

function valuesOf(request: MetricRequest): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  return {
    times: fc.constant([request.time, { from: '2026-10-03', to: '2026-10-05' }]),
    window: windowArbitrary,
    ...Object.fromEntries(Object.entries(reportValues).map(([name, { any }]) => [name, any])),
  };
}

function household(): fc.Arbitrary<NonNullable<MetricRequest['household']>> {
  const trim = fc.constantFrom<[number | null, number | null]>(
    [1, 99],
    [10, 60],
    [null, 90],
    [25, null],
  );
  return fc.record(
    {
      statistic: fc.constantFrom('mean', 'median', 'min', 'max', 'trimmedMean', 'p20', 'p97.5'),
      trim,
      trimOver: fc.constantFrom('window', 'range'),
      minResults: fc.integer({ min: 1, max: 5 }),
      minDays: fc.integer({ min: 1, max: 3 }),
    },
    { requiredKeys: ['statistic'] },
  );
}

/** Without what the service refuses. */
function valid(request: MetricRequest): MetricRequest {
  const { overBuckets, household, coverage, ...rest } = withoutHouseholdFields(
    withPossibleShares(withCoverage(request)),
  );
  // They have neither a worst bucket nor expected results.
  const isMaskable = metricDefinitions[request.metric]!.masked !== undefined;
  const hasTrim = household?.trim !== undefined || household?.statistic === 'trimmedMean';
  return Object.fromEntries(
    Object.entries({
      ...rest,
      household: household && (hasTrim ? household : { ...household, trimOver: undefined }),
      overBuckets:
        request.aggregation === 'total' || coverage !== undefined || isMaskable
          ? undefined
          : overBuckets,
      coverage,
    }).filter(([, value]) => value !== undefined),
  ) as unknown as MetricRequest;
}

/** A request that may have coverage: without fields of results, and with several ranges only in local time. */
function withCoverage(request: MetricRequest): MetricRequest {
  const { coverage, ...others } = request;
  const { splits = [], filters = [], times } = request;
  if (coverage === undefined) return request;
  const isLocal = (times ?? []).every(({ from, to }) => [from, to].every(isClock));
  const ofAgents = {
    ...request,
    ...(request.splits && { splits: splits.filter(isOfAgents) }),
    ...(request.filters && { filters: filters.filter(({ id }) => isOfAgents(id)) }),
  };
  if (!isLocal) return others;
  const hasRate = coverage !== true && coverage.resultsPerHour !== undefined;
  const needsRate = !hasRate && !hasSchedule(metricDefinitions[request.metric]!);
  return needsRate ? { ...ofAgents, coverage: { resultsPerHour: 2 } } : ofAgents;
}

function isClock(text: string): boolean {
  return /^\d{4}-/.test(text);
}

function isOfAgents(field: string): boolean {
  const key = field.replace(/^custom\./, '');
  return ['isp', 'package', 'country'].includes(field) || Object.hasOwn(customValues, key);
}
