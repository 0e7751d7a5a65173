import { aggregationKeys } from '../../../services/catalog/aggregations.ts';
import { metrics } from '../../../services/catalog/metrics.ts';

type Cases = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Complete queries, by their difference from the plain request. */
export const queryCases: Cases = {
  plain: {},
  total: { aggregation: 'total' },
  'split by metadata': { splits: ['isp'] },
  'split by unit': { splits: ['unit'] },
  'split by custom fields': { splits: ['tier', 'custom.isp', "it's `odd`"] },
  'each household once': { agent_agg: true, splits: ['isp'] },
  'each household once, normalised': { agent_agg: true, normalised: true },
  normalised: { normalised: true, splits: ['isp'] },
  rate: { metric: 'dnsFail' },
  'rate, normalised': { metric: 'dnsFail', normalised: true },
  'rate, each household once': { metric: 'dnsFail', agent_agg: true },
  'rate, each household once, normalised': { metric: 'dnsFail', agent_agg: true, normalised: true },
  raw: { chartType: 'raw', aggregation: undefined },
  'raw, split': { chartType: 'raw', splits: ['isp', 'agent', 'unit'], normalised: true },
};

/** Complete queries of reports. */
export const reportCases: Cases = {
  'households in peak hours, trimmed over the range, percent of advertised': {
    aggregation: 'total',
    window: { days: ['mon', 'tue', 'wed', 'thu', 'fri'], hours: [19, 20, 21, 22] },
    household: { statistic: 'trimmedMean', trimOver: 'range', minResults: 5, minDays: 3 },
    relativeTo: 'custom.advertised',
  },
  'weighted households, split, with shares, 80/80, intervals and a minimum': {
    splits: ['isp'],
    household: { statistic: 'median', trim: [null, 99] },
    weight: 'weight',
    shares: [30, 100],
    consistent: { households: 20, results: 20 },
    householdIntervals: true,
    minAgents: 10,
  },
  'rate of households, normalised, without switchers': {
    metric: 'dnsFail',
    normalised: true,
    household: { statistic: 'p20' },
    switchers: 'drop',
  },
  'all results, percent of advertised, longest stay, shares of results': {
    aggregation: 'total',
    relativeTo: 'advertised',
    switchers: 'longest',
    shares: { thresholds: [90], of: 'results' },
    householdIntervals: true,
  },
  'busiest hour by ISP': { aggregation: 'hour_of_day', splits: ['isp'], overBuckets: 'busiest' },
  'share of hours at 90 or more': { aggregation: 'hourly', overBuckets: { atLeast: 90 } },
  'coverage of days by ISP and tier, of agents with a package': {
    splits: ['isp', 'tier'],
    filters: [filter('package', 'include', 'A:Fibre')],
    coverage: true,
  },
  'coverage of households in a window, in two ranges': {
    aggregation: 'total',
    time: undefined,
    times: [
      { from: '2026-01-01', to: '2026-01-05' },
      { from: '2026-01-04', to: '2026-01-10 12:07' },
      { from: '2026-02-01', to: '2026-02-20' },
    ],
    window: { hours: [19, 20] },
    household: { statistic: 'trimmedMean', trimOver: 'range' },
    coverage: { resultsPerHour: 0.25 },
  },
  'two ranges outside of a window': {
    time: undefined,
    times: [
      { from: '2026-01-01', to: '2026-01-05' },
      { from: '2026-01-10', to: 'now' },
    ],
    window: { hours: [0, 1], invert: true },
  },
};

/** Complete queries of a caller with a privacy floor of 5 agents. */
export const floorCases: Cases = {
  'privacy floor': { aggregation: 'total' },
  'privacy floor, split in buckets': { splits: ['isp', 'tier'] },
  'privacy floor, each household once': { agent_agg: true, splits: ['isp'] },
  'privacy floor and a larger minimum, weighted': {
    splits: ['isp'],
    household: { statistic: 'mean' },
    weight: 'weight',
    consistent: { households: 0, results: 20 },
    minAgents: 10,
  },
  'privacy floor and a smaller minimum, busiest hour': {
    aggregation: 'hour_of_day',
    splits: ['isp'],
    overBuckets: 'busiest',
    minAgents: 1,
  },
};

/** Only the first step of these queries: the results. */
export const resultsCases: Cases = {
  ...Object.fromEntries(aggregationKeys.map((aggregation) => [aggregation, { aggregation }])),
  'split by columns': { splits: ['target', 'threads', 'agent'] },
  'split by columns of phones': { metric: 'mobileDownload', splits: ['carrier_name', 'country'] },
  'include text': { filters: [filter('target', 'include', 'a.example', 'b.example')] },
  'exclude text': { filters: [filter('target_set', 'exclude', 'europe')] },
  'include numbers': { filters: [filter('threads', 1, '4', '8')] },
  'exclude unit': { filters: [filter('unit', '0', '123')] },
  'include metadata': { filters: [filter('isp', 'inclusive', "O'Brien \\ Sons")] },
  'exclude metadata': { filters: [filter('package', 'exclusive', 'A:Fibre')] },
  'include and exclude custom': {
    filters: [filter('tier', 'include', 'gold'), filter('custom.isp', 'exclude', 'x')],
  },
  'agents of sets': {
    filters: [
      filter('set', 'include', 'pilot'),
      filter('set', 'exclude', 'fcc-2018-excluded', 'pilot'),
    ],
  },
  'one field twice, and a split': {
    splits: ['isp'],
    filters: [filter('isp', 'include', 'A', 'B'), filter('isp', 'exclude', 'C')],
  },
  'between instants': { time: { from: '-7 days', to: 'now' } },
  'from clock time to instant': { time: { from: '2026-02-01 00:00', to: 'now' } },
  ...Object.fromEntries(
    metrics.map(({ key }) => [
      `${key} with prefilter`,
      { metric: key, prefilter: true, aggregation: 'total' },
    ]),
  ),
};

/** Complete queries over the metadata as it was recorded at an earlier moment. */
export const knownAtCases: Cases = {
  'known at a moment': {},
  'known at a moment, each kind of field': {
    splits: ['isp', 'tier', 'country'],
    filters: [filter('package', 'exclude', 'A:Fibre')],
  },
  'known at a moment, raw': { chartType: 'raw', splits: ['package'] },
};

function filter(id: string, filterType: string | number, ...filterValues: readonly string[]) {
  return { id, filterType, filterValues };
}
