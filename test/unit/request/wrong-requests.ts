import { Random } from '../../property/random.ts';
import { plainRequest } from '../../support/plain-request.ts';

export type Body = Readonly<Record<string, unknown>>;

/** A field of a body, `['window', 'days']`, or `['filters', 0, 'id']`, and the body in which its value is replaced. */
export interface WrongField {
  readonly path: Path;
  readonly base: Body;
}

type Path = readonly (string | number)[];

const household = { household: { statistic: 'mean' } };

/** Valid objects of the fields that are objects or lists of objects. The fields within them are replaced too. */
const objects: Readonly<Record<string, Body>> = {
  time: { from: '2026-01-01', to: '2026-01-31' },
  window: { days: ['mon'], hours: [19], invert: true },
  household: { statistic: 'mean', trim: [1, 99], trimOver: 'range', minResults: 2, minDays: 2 },
  relativeTo: { field: 'advertised', of: 'result' },
  shares: { thresholds: [25], of: 'households' },
  consistent: { households: 20, results: 20 },
  overBuckets: { busiest: true, atLeast: undefined },
  coverage: { resultsPerHour: 1 },
};
const filter = { id: 'isp', filterType: 'include', filterValues: ['A'] };

const topFields = [
  ...['metric', 'chartType', 'aggregation', 'normalised', 'prefilter', 'agent_agg', 'splits'],
  ...['filters', 'time', 'times', 'window', 'knownAt', 'method', 'household', 'relativeTo'],
  ...['weight', 'shares', 'consistent', 'switchers', 'minAgents', 'householdIntervals'],
  ...['sharesAtMost', 'percentileRule', 'intervalsOf', 'strata', 'overBuckets', 'coverage'],
  ...['unknown', '__proto__'],
];

export const metricFields: readonly WrongField[] = [
  ...topFields.map((name) => ({ path: [name], base: plainRequest })),
  ...['weight', 'shares', 'consistent', 'relativeTo'].map((name) => ({
    path: [name],
    base: { ...plainRequest, ...household },
  })),
  ...['household', 'switchers', 'minAgents', 'householdIntervals', 'window'].map((name) => ({
    path: [name],
    base: { ...plainRequest, chartType: 'raw' },
  })),
  ...Object.entries(objects).flatMap(([name, object]) =>
    [...Object.keys(object), 'unknown'].map((inner) => ({
      path: [name, inner],
      base: { ...plainRequest, ...household, [name]: object },
    })),
  ),
  ...[...Object.keys(filter), 'unknown'].map((inner) => ({
    path: ['filters', 0, inner],
    base: { ...plainRequest, filters: [filter] },
  })),
  ...['from', 'to', 'unknown'].map((inner) => ({
    path: ['times', 1, inner],
    base: { ...plainRequest, time: undefined, times: [objects.time, objects.time] },
  })),
];

const plainTest: Body = { test: 'httpget', date: { from: '2026-01-01', to: '2026-01-31' } };
export const testFields: readonly WrongField[] = [
  ['test'],
  ['date'],
  ['unknown'],
  ['date', 'from'],
  ['date', 'to'],
  ['date', 'unknown'],
].map((path) => ({ path, base: plainTest }));

const plainView: Body = { name: 'Speed', state: 'metric=httpget' };
export const viewFields: readonly WrongField[] = [['name'], ['state'], ['unknown']].map((path) => ({
  path,
  base: plainView,
}));

const selector = ['agent_id', 'unit_id', 'mac_address', 'isp', 'package', 'timezone', 'custom'];
const newFields = ['package', 'timezone', 'custom', 'unknown'];
const plainStep: Body = { metadata: { timezone: 'UTC' } };
const plainChange: Body = { agent: { agent_id: 'a' }, ...plainStep, followed_by: [plainStep] };
export const changeFields: readonly WrongField[] = [
  ...['agent', 'metadata', 'backdate_from', 'overwrite_all', 'followed_by', 'unknown'].map(
    (name) => [name],
  ),
  ...[...selector, 'unknown'].map((name) => ['agent', name]),
  ...newFields.map((name) => ['metadata', name]),
  ['agent', 'custom', 'tier'],
  ['metadata', 'custom', 'tier'],
  ['metadata', 'custom', '17'],
  ['followed_by', 0],
  ...['metadata', 'backdate_from', 'overwrite_all', 'unknown'].map((n) => ['followed_by', 0, n]),
  ...newFields.map((name) => ['followed_by', 0, 'metadata', name]),
].map((path) => ({ path, base: plainChange }));

const twentyOne = Array.from({ length: 21 }, (_, i) => i);
const range = { from: '2026-01-01', to: '2026-01-31' };

/** Values of all types, among them the valid ones of each field and those beside its limits. */
export const values: readonly unknown[] = [
  ...[undefined, null, true, false, 0, 1, -1, 0.5, 2, 20, 23, 24, 100, 100.5, 101, 3600, 3601],
  ...[1_000_000, 1_000_001, 2 ** 53, 1_769_904_000, 1_771_000_000, 1_771_064_490, 1e300],
  ...['', ' ', 'x', 'isp', 'ips', 'set', 'mean', 'trimmedMean', 'p20', 'p101', 'p1000', 'busiest'],
  ...['household', 'households', 'result', 'results', 'window', 'range', 'asOf', 'longest', 'drop'],
  ...['advertised', 'custom.advertised', 'custom.balance', 'balance', 'custom.tier', 'floor'],
  ...['raw', 'aggregate', 'daily', 'total', 'dayly', 'httpget', 'httpgt', 'dnsFail', 'panelUpload'],
  ...['fcc-2018', 'ofcom-2021', 'fcc', 'include', 'exclusive', '1', '4', 'UTC', 'Asia/Katmandu'],
  ...['now', '-7 days', '+3 days', 'last monday', '2026-01-01', '2026-02-30', '2027-01-01', '2026'],
  ...['2026-01-01 10:00', '2024-01-01', 'A:B', 'A:', ':', 'Unknown:B', 'a\0b', '\ud800', 'a=b&c='],
  ...['x'.repeat(101), 'é\u200b', 'y'.repeat(8_193)],
  ...[[], [null], [1], [1, 99], [99, 1], [null, 99], [null, null], [1, 2, 3], [25, 'x'], [24]],
  ...[['mon'], ['Mon', 'sun', 'mon'], ['mon', 'xyz', 5], ['isp', 'isp'], ['tier', 'custom.tier']],
  ...[['isp', 'country', 'package', 'unit'], ['A', 'B', 'C', 'D', 'E', 'F'], ['>=30', 'x'], ['4']],
  ...[['a\0b', 'y'.repeat(8_193)], twentyOne, twentyOne.slice(1), Array(51).fill({}), [[]]],
  ...[{}, { unknown: 1, statistic: 'mean' }, { days: ['mon'] }, { hours: [7], day: 1 }],
  ...[
    { statistic: 'mean', trimOver: 'window' },
    { statistic: 'trimmedMean', trimOver: 'range' },
  ],
  ...[
    { statistic: 'max', trimOver: 'range' },
    { field: 'advertised', of: 'household' },
  ],
  ...[{ thresholds: [50, 25, 50], of: 'results' }, { thresholds: [25] }, { households: 20 }],
  ...[{ busiest: true, atLeast: 90 }, { busiest: false }, { atLeast: 90 }, { atLeast: null }],
  ...[{ resultsPerHour: 0 }, { resultsPerHour: null }, range, { ...range, form: 1 }],
  ...[{ from: range.to, to: range.from }, { from: '2024-01-01', to: 'now' }, [range, range]],
  ...[[range, { from: '-7 days', to: 'now' }], [range, {}, 5], Array(13).fill(range)],
  ...[[{ id: 'isp', filterType: 1, filterValues: ['A'] }], [filter, { id: 'x' }, 5]],
  ...[{ agent_id: 'a', isp: 'B' }, { custom: { tier: 1, '': 2 } }, { tier: null }, { tier: 'y' }],
  ...[{ unit_id: 2 ** 53 }, { tier: 'z'.repeat(1_025), ['k'.repeat(65)]: 1 }, { tier: {} }],
  ...[[{}], [{ metadata: {} }], [5, { metadata: { timezone: 'X' }, backdate_from: 1 }]],
];

/** The body with the value of a field replaced; undefined removes it. */
export function replaced({ path, base }: WrongField, value: unknown): Body {
  return withValue(base, path, value) as Body;
}

function withValue(node: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(node)) {
    return node.map((item: unknown, i) => (i === name ? withValue(item, rest, value) : item));
  }
  const fields = Object.entries((node ?? {}) as Body).filter(([key]) => key !== name);
  const inner = withValue((node as Body | undefined)?.[name], rest, value);
  return Object.fromEntries(inner === undefined ? fields : [...fields, [name, inner]]);
}

/** Bodies with several replaced fields, the same for the same seed. */
export function manyProblems(
  fields: readonly WrongField[],
  count: number,
  seed: number,
): readonly Body[] {
  const random = new Random(seed);
  const pick = <T>(choices: readonly T[]) => choices[random.between(0, choices.length - 1)]!;
  return Array.from({ length: count }, () => {
    const chosen = Array.from({ length: random.between(2, 9) }, () => pick(fields));
    return chosen.reduce<Body>(
      (base, { path, base: own }) => replaced({ path, base: { ...own, ...base } }, pick(values)),
      {},
    );
  });
}
