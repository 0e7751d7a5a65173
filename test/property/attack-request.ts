import {
  householdOf,
  type MetricRequest,
  type RequestComparison,
} from '../reference/metric-request.ts';
import type { Random } from './random.ts';

type Fields = Partial<MetricRequest>;

/** A random request for `attackedPanel`, with the fields by which a caller could single out a household. */
export function attackRequest(random: Random): MetricRequest {
  const isCompared = random.chance(0.4);
  const request = requestOfOneSide(random, isCompared);
  return isCompared ? compared(random, request) : request;
}

const ofResults = {
  metric: 'httpget',
  chartType: 'aggregate',
  aggregation: 'weekly',
  normalised: false,
  prefilter: false,
  time: { from: '2026-10-29', to: '2026-11-25' },
} as const;
const plain = { ...ofResults, household: { statistic: 'mean' } } as const;

/** Each of these shows a household if one of the rules is missing. */
export const tellingRequests: readonly MetricRequest[] = [
  // Two households have more than half of the weights.
  {
    ...plain,
    aggregation: 'daily',
    splits: ['area'],
    weight: 'pair',
    percentileRule: 'lower',
    intervalsOf: [50],
    consistent: { households: 50, results: 20 },
  },
  // A household has several masked results in a week.
  { ...ofResults, metric: 'panelDownload', splits: ['area'] },
  // A few households without a mask are above a threshold.
  {
    ...plain,
    metric: 'panelDownload',
    aggregation: 'daily',
    splits: ['tier'],
    shares: [800, 850, 900, 930, 960],
  },
  {
    ...plain,
    compare: { filters: [{ id: 'area', filterType: 'exclude', filterValues: ['area 0'] }] },
  },
  {
    ...plain,
    weight: 'huge',
    compare: { filters: [{ id: 'area', filterType: 'exclude', filterValues: ['area 6'] }] },
  },
  { ...plain, splits: ['area'], compare: { time: { from: '2026-10-01', to: '2026-10-28' } } },
  { ...plain, splits: ['area'], compare: { to: 'rest' } },
  {
    ...plain,
    // With a floor of 5, what is hidden are five series of four households: one changed its ISP.
    aggregation: 'total',
    time: { from: '2026-10-01', to: '2026-11-25' },
    splits: ['area', 'tier', 'isp'],
    filters: [{ id: 'area', filterType: 'include', filterValues: ['area 0', 'area 7'] }],
    compare: { to: 'rest' },
  },
];

function compared(random: Random, request: MetricRequest): MetricRequest {
  const { splits = [] } = request;
  // Of households that only one side has, one may have most of the weight.
  const weighted =
    householdOf(request) !== undefined && random.chance(0.5)
      ? { weight: random.pick(['huge', 'double', 'skewed']) }
      : {};
  const options: readonly [Compared, ...Compared[]] = [
    {
      time: { from: '2026-10-29', to: '2026-11-25' },
      // On one day a few households have no result, which hides most pairs.
      aggregation: random.pick(['weekly', 'total']),
      compare: { time: earlier },
    },
    { compare: { window: { hours: Array.from({ length: 16 }, (_, hour) => hour + 8) } } },
    { splits: [], ...weighted, compare: { filters: [filterOf(random, 'area', areas)] } },
    { splits: ['tier'], ...weighted, compare: { filters: [filterOf(random, 'area', areas)] } },
    ...(splits.includes('isp') ? [] : [{ compare: { filters: [filterOf(random, 'isp', isps)] } }]),
    ...(splits.length > 0 ? [{ compare: { to: 'rest' as const } }] : []),
  ];
  const { compare, ...own } = random.pick(options);
  const agents = random.chance(0.3) ? ({ agents: 'both' } as const) : {};
  return { ...request, ...own, compare: { ...compare, ...agents } };
}

interface Compared extends Fields {
  readonly compare: RequestComparison;
}

const earlier = { from: '2026-10-01', to: '2026-10-28' };
const areas = [
  'area 0',
  'area 1',
  'area 2',
  'area 3',
  'area 4',
  'area 5',
  'area 6',
  'area 7',
] as const;
const isps = ['Northwave', 'brightline'] as const;

function filterOf(random: Random, id: string, values: readonly [string, ...string[]]) {
  const filterType = random.pick(['include', 'exclude', 'exclude']);
  const some = values.filter(() => random.chance(0.4));
  // A side without one value shows most of it.
  const isOne = some.length === 0 || random.chance(0.5);
  return { id, filterType, filterValues: isOne ? [random.pick(values)] : some };
}

/** With `compare` the service refuses some fields. */
function requestOfOneSide(random: Random, isCompared: boolean): MetricRequest {
  const household = random.chance(0.7) ? randomHousehold(random) : undefined;
  const agent_agg = household === undefined && random.chance(0.2);
  const hasHouseholds = household !== undefined || agent_agg;
  const maybe = (probability: number, fields: () => Fields): Fields =>
    random.chance(probability) ? fields() : {};
  const thresholds = thresholdsOf(random);
  const isPublished = random.chance(0.3);
  return {
    // Published speeds may be masked.
    metric: isPublished ? 'panelDownload' : 'httpget',
    chartType: 'aggregate',
    aggregation: random.pick(['daily', 'daily', 'daily', 'weekly', 'day_of_month', 'total']),
    normalised: random.chance(0.2),
    prefilter: random.chance(0.2),
    time: { from: '2026-10-01', to: random.pick(['2026-10-31', '2026-11-25', '2026-11-25']) },
    splits: random.pick([['area'], ['area'], ['area', 'isp'], ['area', 'tier'], ['tier'], []]),
    agent_agg,
    ...(household === undefined ? {} : { household }),
    ...maybe(0.5, () => ({ relativeTo: relativeTo(random) })),
    ...maybe(hasHouseholds ? 0.5 : 0, () => ({ weight: random.pick(fields) })),
    ...maybe(0.4, () => ({ shares: hasHouseholds ? thresholds : thresholdsOfResults(thresholds) })),
    ...maybe(0.2, () => ({
      sharesAtMost: hasHouseholds ? thresholds : thresholdsOfResults(thresholds),
    })),
    ...maybe(hasHouseholds ? 0.2 : 0, () => ({
      consistent: { households: random.between(0, 100), results: random.pick([0, 20, 50]) },
    })),
    ...maybe(hasHouseholds ? 0.2 : 0, () => ({
      percentileRule: random.pick(['lower', 'average'] as const),
    })),
    ...maybe(0.3, () => ({ switchers: random.pick(['longest', 'drop'] as const) })),
    ...maybe(0.3, () => ({ householdIntervals: true })),
    ...maybe(0.2, () => ({ intervalsOf: [random.between(1, 99), random.between(1, 99)] })),
    ...maybe(hasHouseholds && !isCompared ? 0.2 : 0, () => ({ strata: random.pick(fields) })),
    ...maybe(isCompared || isPublished ? 0 : 0.2, () => ({ coverage: { resultsPerHour: 0.5 } })),
    ...maybe(0.1, () => ({ minAgents: random.between(1, 6) })),
    ...maybe(0.2, () => ({ window: { hours: Array.from({ length: 16 }, (_, hour) => hour + 8) } })),
    ...maybe(0.2, () => ({
      filters: [
        {
          id: 'area',
          filterType: random.pick(['include', 'exclude']),
          filterValues: ['area 2', 'area 5'],
        },
      ],
    })),
  };
}

const fields = [
  'tiny',
  'huge',
  'double',
  'several',
  'equal',
  'unique',
  'skewed',
  'pair',
  'plan',
  'share',
] as const;

function relativeTo(random: Random): NonNullable<MetricRequest['relativeTo']> {
  const field = random.pick(fields);
  return random.chance(0.3) ? { field, of: 'result' } : field;
}

function randomHousehold(random: Random): NonNullable<MetricRequest['household']> {
  return {
    statistic: random.pick(['mean', 'mean', 'median', 'min', 'max', 'p20']),
    ...(random.chance(0.2) ? { trim: [10, 90] as const } : {}),
    ...(random.chance(0.2) ? { minResults: 2 } : {}),
  };
}

function thresholdsOfResults(thresholds: readonly number[]) {
  return { thresholds, of: 'results' as const };
}

/** Up to the 20 that a request may have, wide or close together. */
function thresholdsOf(random: Random): readonly number[] {
  const count = random.between(1, 20);
  const step = random.pick([10, 50, 200]) * 1.01;
  const first = random.between(0, 600);
  return Array.from({ length: count }, (_, i) => first + i * step);
}
