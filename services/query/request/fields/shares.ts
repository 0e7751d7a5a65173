import type { Parsing } from '../parse-context.ts';
import type { Json } from '../request-body.ts';
import { type FieldsOf, needsHousehold, type ReportScope } from './report-field.ts';
import { choice, isNumber, object, percentile } from './shapes.ts';

export interface ShareFields {
  readonly shares?: Shares;
  readonly sharesAtMost?: Shares;
  readonly consistent?: Consistent;
}

/** Ascending thresholds, and what is counted on one side of them. */
interface Shares {
  readonly thresholds: readonly number[];
  readonly of: 'results' | 'households';
}

/** A percentile over households of a percentile of each household's results: 20 and 20 are the FCC's 80/80. */
export interface Consistent {
  readonly households: number;
  readonly results: number;
}

const maxThresholds = 20;
const of = choice('households', 'results');

const sharesFields = {
  thresholds: {
    schema: { type: 'array', minItems: 1, maxItems: maxThresholds },
    items: { schema: { type: 'number' } },
    isRequired: true,
  },
  of: {
    ...of,
    default: 'households',
    about: 'Shares of `results` are possible without `household` only.',
  },
} as const;

const consistentFields = {
  households: { ...percentile, isRequired: true },
  results: { ...percentile, isRequired: true },
} as const;

export const shareFields = {
  shares: {
    component: 'Shares',
    ...sharesField('shares'),
    about:
      'Thresholds in the unit of the metric, or in percent with `relativeTo`. Each point has `shares` with the weighted share of households at or above each threshold, from 0 to 1.',
  },
  sharesAtMost: {
    component: 'SharesAtMost',
    ...sharesField('sharesAtMost'),
    about:
      'The same as `shares`, with the share of households at or below each threshold: for metrics of which less is better, such as latency.',
  },
  consistent: {
    component: 'Consistent',
    ...object(
      consistentFields,
      'Send two percentiles, such as { "households": 20, "results": 20 }.',
      parseConsistent,
    ),
    about:
      'A percentile over households of a percentile of each household’s results. 20 and 20 are the FCC’s 80/80: the speed that 80 % of households get at least 80 % of the time.',
    example: { households: 20, results: 20 },
    check: (consistent, { hasHouseholds, problems }) => {
      if (consistent && !hasHouseholds) problems.add('consistent', needsHousehold);
    },
  },
} satisfies FieldsOf<ShareFields>;

function sharesField(name: keyof ShareFields) {
  return {
    ...object(
      sharesFields,
      'Send an object, such as { "thresholds": [25, 50, 100] }.',
      parseShares,
    ),
    example: { thresholds: [25, 50, 100] },
    inFull: (value: unknown) => (Array.isArray(value) ? { thresholds: value as unknown[] } : value),
    check: (shares: Shares | undefined, { hasHouseholds, problems }: ReportScope) => {
      if (shares?.of === 'households' && !hasHouseholds) problems.add(name, sharesOfWhat);
      if (shares?.of === 'results' && hasHouseholds) problems.add(`${name}[of]`, resultsAreGone);
    },
  };
}

const sharesOfWhat = `The shares are of households. ${needsHousehold} For shares of results, send { "thresholds": [25], "of": "results" }.`;
const resultsAreGone = 'With household, a point has one value per household. Send "households".';

function parseShares({ thresholds, ...shares }: Json, path: string, scope: Parsing): Shares | null {
  const { problems } = scope;
  const counted = of.parse(shares.of ?? sharesFields.of.default, `${path}[of]`, scope);
  if (counted === null) return null;
  const isList = Array.isArray(thresholds) && thresholds.length > 0;
  if (!isList || thresholds.length > maxThresholds) {
    const allowed = `1 to ${maxThresholds} thresholds, such as [25, 50, 100]`;
    return problems.add(`${path}[thresholds]`, `Send ${allowed}.`);
  }
  const numbers = thresholds.filter(isNumber);
  if (numbers.length < thresholds.length) {
    const allowed = 'numbers in the unit of the metric, such as [25, 50, 100]';
    return problems.add(`${path}[thresholds]`, `Send ${allowed}.`);
  }
  return { thresholds: [...new Set(numbers)].sort((a, b) => a - b), of: counted };
}

function parseConsistent(consistent: Json, path: string, scope: Parsing): Consistent | null {
  const households = percentile.parse(consistent.households, `${path}[households]`, scope);
  const results = percentile.parse(consistent.results, `${path}[results]`, scope);
  return households === null || results === null ? null : { households, results };
}
