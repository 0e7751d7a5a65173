import type { PanelName } from './panels.ts';

/** The numbers of a request, and how R computes them from the raw data `d` of its households (estimates.R). */
export interface Case {
  readonly name: string;
  readonly panel: PanelName;
  /** Other fields of the request than those of `baseRequest`. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly r: string;
}

/** One value per household over the whole period. */
export const baseRequest = {
  metric: 'panelDownload',
  chartType: 'aggregate',
  aggregation: 'total',
  normalised: false,
  prefilter: true,
  household: { statistic: 'mean' },
};

const weight = 'custom.weight';
const weightIsp = 'custom.weight_isp';
const byIsp = { splits: ['isp'] };
const ispIs = (isp: string) => [{ id: 'isp', filterType: 'include', filterValues: [isp] }];
const december = { time: { from: '2015-12-01', to: '2015-12-31' } };
const bothMonths = { time: { from: '2015-11-01', to: '2015-12-31' } };
const months = '"2015-12-01T00:00:00", "2015-11-01T00:00:00"';

const raked = 'weighted(withRaked(d, file.path(folder, "margins.csv")), "raked")';
const stored = 'storedFactors(d, file.path(folder, "replicates.csv"))';
const rakedAgain =
  'rakedFactors(d, file.path(folder, "margins.csv"), file.path(folder, "replicates.csv"))';
const replicated = (factors: string) => `s = replicated(d, "custom.raked", ${factors})`;
const replicates = { weight: 'custom.raked', weightReplicates: true };

export const cases: readonly Case[] = [
  ...(['panelDownload', 'panelUpload', 'panelLatencyBusy'] as const).flatMap((metric) => [
    {
      name: `2015 ${metric}: weighted mean`,
      panel: 'ofcom2015' as const,
      request: { metric, weight, householdIntervals: true },
      r: 'with(list(s = weighted(d, "custom.weight")), c(means(s), means(s, "ciHousehold"), designEffect(s)))',
    },
    {
      name: `2015 ${metric}: weighted percentiles, lower`,
      panel: 'ofcom2015' as const,
      request: { metric, weight, percentileRule: 'lower', intervalsOf: [10, 50, 90] },
      r: 'with(list(s = weighted(d, "custom.weight")), c(percentiles(surveyRule(s, "math")), woodruffOfSurvey(s, c(10, 50, 90))))',
    },
    {
      name: `2015 ${metric}: weighted percentiles, average`,
      panel: 'ofcom2015' as const,
      request: { metric, weight, percentileRule: 'average', intervalsOf: [10, 50, 90] },
      r: 'with(list(s = weighted(d, "custom.weight")), c(percentiles(surveyRule(s, "school")), woodruff(s, surveyRule(s, "school"), c(10, 50, 90))))',
    },
    {
      name: `2015 ${metric}: weighted percentiles, linear`,
      panel: 'ofcom2015' as const,
      request: { metric, weight, intervalsOf: [10, 50, 90] },
      r: 'with(list(s = weighted(d, "custom.weight")), c(percentiles(midpoints(s)), woodruff(s, midpoints(s), c(10, 50, 90))))',
    },
    {
      name: `2015 ${metric}: percentiles of equal weights, linear`,
      panel: 'ofcom2015' as const,
      request: { metric, intervalsOf: [10, 50, 90] },
      r: 'c(percentiles(type7(d)), woodruff(equal(d), type7(d), c(10, 50, 90)))',
    },
    {
      name: `2015 ${metric}: shares`,
      panel: 'ofcom2015' as const,
      request: { metric, weight, shares: [0, 5, 10, 24, 30], sharesAtMost: [2, 10, 25] },
      r: 'shares(weighted(d, "custom.weight"), from = c(0, 5, 10, 24, 30), to = c(2, 10, 25))',
    },
  ]),
  {
    name: '2015 by ISP',
    panel: 'ofcom2015',
    request: { weight: weightIsp, percentileRule: 'lower', ...byIsp },
    r: 'groups(weighted(d, "custom.weight_isp"), ~isp)',
  },
  {
    name: '2015 strata of ISPs: means and shares',
    panel: 'ofcom2015',
    request: { weight: weightIsp, strata: 'isp', shares: [10, 24, 30] },
    r: 'with(list(s = weighted(d, "custom.weight_isp", ~isp)), c(means(s), shares(s, from = c(10, 24, 30))))',
  },
  {
    name: '2015 strata of ISPs: percentiles, lower',
    panel: 'ofcom2015',
    request: {
      weight: weightIsp,
      strata: 'isp',
      percentileRule: 'lower',
      intervalsOf: [25, 50, 75],
    },
    r: 'with(list(s = weighted(d, "custom.weight_isp", ~isp)), c(percentiles(surveyRule(s, "math")), woodruffOfSurvey(s, c(25, 50, 75))))',
  },
  {
    name: '2015 strata of packages, one with a single household',
    panel: 'ofcom2015',
    request: { weight, strata: 'package', shares: [10, 24, 30] },
    r: 'with(list(s = weighted(d, "custom.weight", ~package)), c(means(s), shares(s, from = c(10, 24, 30)), singleStrata = sum(table(s$variables$package) == 1)))',
  },
  {
    name: '2015 BT less Virgin, weighted',
    panel: 'ofcom2015',
    request: {
      weight: weightIsp,
      filters: ispIs('BT'),
      compare: { filters: ispIs('Virgin') },
    },
    r: 'betweenGroups(weighted(d, "custom.weight_isp", ~isp), ~isp, "BT", "Virgin")',
  },
  {
    name: '2015 BT less Sky, equal weights',
    panel: 'ofcom2015',
    request: { filters: ispIs('BT'), compare: { filters: ispIs('Sky') } },
    r: 'welch(d$metricValue[d$isp == "BT"], d$metricValue[d$isp == "Sky"])',
  },
  {
    name: '2015 each ISP less the rest',
    panel: 'ofcom2015',
    request: { ...byIsp, compare: { to: 'rest' } },
    r: 'againstRest(d, "isp")',
  },
  {
    name: '2013 weighted mean',
    panel: 'ofcom2013',
    request: { weight },
    r: 'with(list(s = weighted(d, "custom.weight")), c(means(s), designEffect(s)))',
  },
  {
    name: '2013 weighted percentiles, lower',
    panel: 'ofcom2013',
    request: { weight, percentileRule: 'lower', intervalsOf: [5, 50, 95] },
    r: 'with(list(s = weighted(d, "custom.weight")), c(percentiles(surveyRule(s, "math")), woodruffOfSurvey(s, c(5, 50, 95))))',
  },
  {
    name: '2013 shares of packet loss, with many equal values',
    panel: 'ofcom2013',
    request: { metric: 'panelPacketLoss', weight, shares: [0.01, 0.1, 1], sharesAtMost: [0, 0.1] },
    r: 'shares(weighted(d, "custom.weight"), from = c(0.01, 0.1, 1), to = c(0, 0.1))',
  },
  {
    name: '2013 by technology',
    panel: 'ofcom2013',
    request: { weight, percentileRule: 'lower', splits: ['custom.technology'] },
    r: 'groups(weighted(d, "custom.weight"), ~custom.technology)',
  },
  {
    name: '2013 strata of urban and rural',
    panel: 'ofcom2013',
    request: { weight, strata: 'custom.urban_rural' },
    r: 'means(weighted(d, "custom.weight", ~custom.urban_rural))',
  },
  {
    name: 'ACCC percent of plan, busy hours',
    panel: 'accc',
    request: {
      metric: 'panelDownloadBusy',
      relativeTo: 'custom.advertised_download_mbps',
      shares: [75, 90, 100],
    },
    r: 'with(list(s = equal(percentOfPlan(d))), c(means(s), shares(s, from = c(75, 90, 100))))',
  },
  {
    name: 'ACCC by ISP',
    panel: 'accc',
    request: { percentileRule: 'lower', ...byIsp },
    r: 'groups(equal(d), ~isp)',
  },
  {
    name: 'ACCC median of an even number of units, average',
    panel: 'accc',
    request: {
      percentileRule: 'average',
      householdIntervals: true,
      filters: ispIs('Telstra'),
    },
    r: 'medianInterval(equal(d[d$isp == "Telstra", ]), "school")',
  },
  {
    name: 'Raked to two margins: mean and percentiles',
    panel: 'raked',
    request: { weight: 'custom.raked', percentileRule: 'lower' },
    r: `with(list(s = ${raked}), c(means(s), designEffect(s), percentiles(surveyRule(s, "math"))))`,
  },
  {
    name: 'Raked to two margins: by technology',
    panel: 'raked',
    request: { weight: 'custom.raked', percentileRule: 'lower', splits: ['custom.technology'] },
    r: `groups(${raked}, ~custom.technology)`,
  },
  ...[stored, rakedAgain].map((factors) => ({
    name: `Replicate weights${factors === stored ? '' : ', raked again by R'}: means`,
    panel: 'raked' as const,
    request: replicates,
    r: `with(list(${replicated(factors)}), replicateMeans(s))`,
  })),
  {
    name: 'Replicate weights: shares',
    panel: 'raked',
    request: { ...replicates, shares: [10, 24, 30], sharesAtMost: [2, 10] },
    r: `with(list(${replicated(stored)}), shares(s, from = c(10, 24, 30), to = c(2, 10)))`,
  },
  {
    name: 'Replicate weights: intervals of percentiles, lower',
    panel: 'raked',
    request: { ...replicates, percentileRule: 'lower', intervalsOf: [10, 50, 90] },
    r: `with(list(${replicated(stored)}), woodruff(s, surveyRule(weighted(d, "custom.raked"), "math"), c(10, 50, 90)))`,
  },
  {
    name: 'Replicate weights: by technology',
    panel: 'raked',
    request: { ...replicates, splits: ['custom.technology'] },
    r: `with(list(${replicated(stored)}), replicateGroups(s, "custom.technology"))`,
  },
  {
    name: 'Replicate weights: BT less Virgin',
    panel: 'raked',
    request: { ...replicates, filters: ispIs('BT'), compare: { filters: ispIs('Virgin') } },
    r: `with(list(${replicated(stored)}), replicateDifference(s, "isp", "BT", "Virgin"))`,
  },
  {
    name: 'Two months: all households, weighted',
    panel: 'months',
    request: { ...december, weight, compare: novemberOf({}) },
    r: `betweenTimes(d, "custom.weight", ${months})`,
  },
  {
    name: 'Two months: households of both, weighted',
    panel: 'months',
    request: { ...december, weight, compare: novemberOf({ agents: 'both' }) },
    r: `betweenTimes(ofBoth(d, "custom.weight"), "custom.weight", ${months})`,
  },
  {
    name: 'Two months: all households, equal weights',
    panel: 'months',
    request: { ...december, compare: novemberOf({}) },
    r: `betweenTimes(d, NULL, ${months})`,
  },
  {
    name: 'Two months: households of both, equal weights',
    panel: 'months',
    request: { ...december, compare: novemberOf({ agents: 'both' }) },
    r: `paired(d, ${months})`,
  },
  {
    name: 'Two months: results, clusters of households',
    panel: 'months',
    request: {
      ...bothMonths,
      household: null,
      householdIntervals: true,
      shares: { thresholds: [10, 24], of: 'results' },
    },
    r: 'with(list(s = equal(d, ids = ~agent)), c(means(s, "ciHousehold")[-2], shares(s, from = c(10, 24))))',
  },
];

function novemberOf(fields: object) {
  return { time: { from: '2015-11-01', to: '2015-11-30' }, ...fields };
}
