import fc from 'fast-check';
import type { MetricRequest } from '../reference/metric-request.ts';
import { shareFields } from '../reference/shares.ts';

interface FieldValues {
  /** For random requests. */
  readonly any: fc.Arbitrary<unknown>;
  /** For the table of pairs, by name. A request may also be without the field. */
  readonly pairs: Readonly<Record<string, unknown>>;
  /** Refused without `household` and `agent_agg`. */
  readonly isOfHouseholds?: true;
}

const percent = fc.constantFrom(0, 20, 33.3, 50, 80, 100);
const thresholds = fc.uniqueArray(fc.constantFrom(-5, 0, 1, 2.5, 30, 99.9, 100), { minLength: 1 });
const byField = { field: 'advertised', of: 'result' } as const;

export const windowArbitrary = fc.record(
  {
    days: fc.uniqueArray(fc.constantFrom('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'), {
      minLength: 1,
    }),
    hours: fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 4 }),
    invert: fc.boolean(),
  },
  { requiredKeys: ['hours'] },
);

/** The values of each field of reports, besides `household`, in tests against the reference. */
export const reportValues = {
  relativeTo: {
    any: fc.constantFrom('advertised', 'custom.advertised', byField),
    pairs: { households: 'advertised', results: byField },
  },
  weight: {
    any: fc.constantFrom('weight', 'custom.weight'),
    pairs: { weight: 'weight' },
    isOfHouseholds: true,
  },
  shares: { any: thresholds, pairs: { three: [1, 30, 100] } },
  sharesAtMost: { any: thresholds, pairs: { two: [0, 30] } },
  consistent: {
    any: fc.record({ households: percent, results: percent }),
    pairs: { some: { households: 50, results: 80 } },
    isOfHouseholds: true,
  },
  switchers: {
    any: fc.constantFrom('asOf', 'longest', 'drop'),
    pairs: { longest: 'longest', drop: 'drop' },
  },
  minAgents: { any: fc.integer({ min: 1, max: 4 }), pairs: { two: 2 } },
  percentileRule: {
    any: fc.constantFrom('linear', 'lower', 'average'),
    pairs: { lower: 'lower', average: 'average' },
    isOfHouseholds: true,
  },
  householdIntervals: { any: fc.boolean(), pairs: { yes: true } },
  intervalsOf: {
    any: fc.uniqueArray(fc.constantFrom(2.5, 20, 50, 60, 95), { minLength: 1 }),
    pairs: { some: [20, 50] },
  },
  strata: {
    any: fc.constantFrom('isp', 'package', 'custom.tier', 'country'),
    pairs: { isp: 'isp' },
  },
  overBuckets: {
    any: fc.constantFrom('busiest', { busiest: true }, { atLeast: 20 }, { atLeast: 0 }),
    pairs: { busiest: 'busiest', atLeast: { atLeast: 20 } },
  },
  coverage: {
    any: fc.constantFrom(true, {}, { resultsPerHour: 0.25 }, { resultsPerHour: 12 }),
    pairs: { yes: { resultsPerHour: 0.25 } },
  },
} satisfies Partial<Record<keyof MetricRequest, FieldValues>>;

export const fieldsOfHouseholds = Object.entries<FieldValues>(reportValues)
  .filter(([, { isOfHouseholds }]) => isOfHouseholds)
  .map(([name]) => name);

/** The request with shares of what its points have: households, or results. */
export function withPossibleShares(request: MetricRequest): MetricRequest {
  if (hasHouseholds(request)) return request;
  const ofResults = shareFields
    .filter((name) => request[name] !== undefined)
    .map((name) => [name, { thresholds: request[name], of: 'results' }]);
  return { ...request, ...(Object.fromEntries(ofResults) as Partial<MetricRequest>) };
}

/** Fields with intervals whose sample are households. `strata` needs one, or households. */
export const fieldsWithIntervals = ['householdIntervals', 'intervalsOf'];

/** The request without fields that need households, if it has none. */
export function withoutHouseholdFields(request: MetricRequest): MetricRequest {
  if (hasHouseholds(request)) return request;
  const sent = Object.entries(request).filter(
    ([, value]) => value !== undefined && value !== false,
  );
  const hasIntervals = sent.some(([name]) => fieldsWithIntervals.includes(name));
  const left = hasIntervals ? fieldsOfHouseholds : [...fieldsOfHouseholds, 'strata'];
  const kept = Object.entries(request).filter(([name]) => !left.includes(name));
  return Object.fromEntries(kept) as unknown as MetricRequest;
}

function hasHouseholds({ household, agent_agg }: MetricRequest): boolean {
  return household !== undefined || agent_agg === true;
}
