import type { MetricRequest } from '../reference/metric-request.ts';
import type { Factors, Row } from './covering-rows.ts';
import {
  fieldsOfHouseholds,
  fieldsWithIntervals,
  reportValues,
  withPossibleShares,
} from './report-values.ts';

type Fields = Readonly<Record<string, unknown>>;

const none: Fields = {};

const reportPairs: Readonly<Record<string, Readonly<Record<string, Fields>>>> = Object.fromEntries(
  Object.entries(reportValues).map(([name, { pairs }]) => {
    const levels = Object.entries<unknown>(pairs).map(([level, value]) => [
      level,
      { [name]: value },
    ]);
    return [name, { none, ...Object.fromEntries(levels) }];
  }),
);

/** Every field of a request with the values that are combined. A value is fields of the request, or of how it is sent. */
const table = {
  metric: { speed: { metric: 'httpget' }, loss: { metric: 'udpPacketLoss' } },
  aggregation: {
    total: { aggregation: 'total' },
    daily: { aggregation: 'daily' },
    hours: { aggregation: 'hour_of_day' },
  },
  normalised: { no: { normalised: false }, yes: { normalised: true } },
  prefilter: { no: { prefilter: false }, yes: { prefilter: true } },
  splits: {
    none,
    isp: { splits: ['isp'] },
    tier: { splits: ['tier'] },
    target: { splits: ['target'] },
  },
  filters: {
    none,
    isp: { filters: [{ id: 'isp', filterType: 'exclude', filterValues: ['Away, Ltd'] }] },
    tier: {
      filters: [{ id: 'tier', filterType: 'include', filterValues: ['gold', 'silver', '9'] }],
    },
    target: {
      filters: [{ id: 'target', filterType: 'exclude', filterValues: ['no such server'] }],
    },
  },
  times: {
    none,
    two: {
      times: [
        { from: '2026-09-27', to: '2026-10-14' },
        { from: '2026-10-12', to: '2026-11-06 12:07' },
      ],
    },
  },
  window: { none, mornings: { window: { hours: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] } } },
  agent_agg: { none, yes: { agent_agg: true } },
  household: {
    none,
    mean: { household: { statistic: 'mean' } },
    trimmed: {
      household: { statistic: 'trimmedMean', trimOver: 'range', minResults: 2, minDays: 2 },
    },
  },
  ...reportPairs,
  weightReplicates: { none, yes: { weightReplicates: true } },
  compare: {
    none,
    // As many days as those of `requestOfRow`.
    time: { compare: { time: { from: '2026-09-24', to: '2026-11-03' } } },
    filters: {
      compare: {
        filters: [{ id: 'tier', filterType: 'exclude', filterValues: ['gold', '9'] }],
        agents: 'both',
      },
    },
    rest: { compare: { to: 'rest' } },
  },
  knownAt: { none, earlier: none },
  // How it is sent.
  format: { json: none, ndjson: none, csv: none },
  floor: { none, three: none },
  answer: { computed: none, stored: none },
} satisfies Readonly<Record<string, Readonly<Record<string, Fields>>>>;

/** Fields that are not combined: the only kind of points with reports, a range, and a name for other fields. */
export const otherFields = ['chartType', 'time', 'method'];

export const factors: Factors = Object.fromEntries(
  Object.entries(table).map(([name, levels]) => [name, Object.keys(levels)]),
);

const isHousehold = ({ household, agent_agg }: Row) => household !== 'none' || agent_agg !== 'none';

interface Refusal {
  readonly example: Row;
  /** A factor that a row does not have yet refuses nothing. */
  readonly isRefused: (row: Row) => boolean;
}

/** What the service refuses, by the reason. */
export const refusals: Readonly<Record<string, Refusal>> = {
  ...Object.fromEntries(
    fieldsOfHouseholds.map((field) => [
      `${field} is of households`,
      {
        example: { [field]: Object.keys(reportPairs[field]!)[1]! },
        isRefused: (row: Row) => (row[field] ?? 'none') !== 'none' && !isHousehold(row),
      },
    ]),
  ),
  'replicates are of weights': {
    example: { weightReplicates: 'yes', weight: 'none', agent_agg: 'yes' },
    isRefused: ({ weightReplicates, weight }) => weightReplicates === 'yes' && weight === 'none',
  },
  'replicates have weights, and these households': {
    example: { weightReplicates: 'yes', household: 'none', agent_agg: 'none' },
    isRefused: ({ weightReplicates, ...row }) => weightReplicates === 'yes' && !isHousehold(row),
  },
  'replicates have no strata': {
    example: { weightReplicates: 'yes', weight: 'weight', agent_agg: 'yes', strata: 'isp' },
    isRefused: ({ weightReplicates, strata }) =>
      weightReplicates === 'yes' && (strata ?? 'none') !== 'none',
  },
  'replicates are those of now': {
    example: { weightReplicates: 'yes', weight: 'weight', agent_agg: 'yes', knownAt: 'earlier' },
    isRefused: ({ weightReplicates, knownAt }) =>
      weightReplicates === 'yes' && knownAt === 'earlier',
  },
  'strata are of intervals with households as the sample': {
    example: { strata: 'isp' },
    isRefused: ({ strata = 'none', ...row }) =>
      strata !== 'none' &&
      ['household', 'agent_agg', ...fieldsWithIntervals].every((field) => row[field] === 'none'),
  },
  'a total has no buckets': {
    example: { overBuckets: 'busiest', aggregation: 'total' },
    isRefused: ({ overBuckets = 'none', aggregation }) =>
      overBuckets !== 'none' && aggregation === 'total',
  },
  'coverage is of each bucket': {
    example: { overBuckets: 'busiest', coverage: 'yes', aggregation: 'daily' },
    isRefused: ({ overBuckets = 'none', coverage }) => overBuckets !== 'none' && coverage === 'yes',
  },
  'coverage is of the metadata that is known now': {
    example: { coverage: 'yes', knownAt: 'earlier' },
    isRefused: ({ coverage, knownAt }) => coverage === 'yes' && knownAt === 'earlier',
  },
  'coverage is of agents, not of the splits of their results': {
    example: { coverage: 'yes', splits: 'target' },
    isRefused: ({ coverage, splits }) => coverage === 'yes' && splits === 'target',
  },
  'coverage is of agents, not of the filters of their results': {
    example: { coverage: 'yes', filters: 'target' },
    isRefused: ({ coverage, filters }) => coverage === 'yes' && filters === 'target',
  },
  ...Object.fromEntries(
    Object.entries({ overBuckets: 'busiest', coverage: 'yes', strata: 'isp' }).map(
      ([field, level]) => [
        `compare has no ${field}`,
        {
          example: { compare: 'time', aggregation: 'daily', agent_agg: 'yes', [field]: level },
          isRefused: (row: Row) =>
            (row.compare ?? 'none') !== 'none' && (row[field] ?? 'none') !== 'none',
        },
      ],
    ),
  ),
  'the rest are other series': {
    example: { compare: 'rest', splits: 'none' },
    isRefused: ({ compare, splits }) => compare === 'rest' && splits === 'none',
  },
  'series with another value of their split have no pair': {
    example: { compare: 'filters', splits: 'tier' },
    isRefused: ({ compare, splits }) => compare === 'filters' && splits === 'tier',
  },
  'calendars pair by whole days': {
    example: { compare: 'time', times: 'two', aggregation: 'daily' },
    isRefused: ({ compare, times, aggregation }) =>
      compare === 'time' && times === 'two' && aggregation === 'daily',
  },
};

export function isAllowed(row: Row): boolean {
  return !Object.values(refusals).some(({ isRefused }) => isRefused(row));
}

/** The request of a row, or of some of its factors: the others have their first level. */
export function requestOfRow(row: Row): MetricRequest {
  const levels: Readonly<Record<string, Readonly<Record<string, Fields>>>> = table;
  const fields = Object.entries(levels).flatMap(([factor, values]) => {
    const chosen = values[row[factor] ?? Object.keys(values)[0]!] ?? none;
    return Object.entries(chosen);
  });
  const request = {
    chartType: 'aggregate',
    time: { from: '2026-09-27', to: '2026-11-06' },
    ...Object.fromEntries(fields),
  } as MetricRequest;
  return withPossibleShares(request);
}
