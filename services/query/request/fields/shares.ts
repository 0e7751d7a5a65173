import type { Parsing } from '../parse-context.ts';
import type { Consistent, Shares } from '../report/report.ts';
import type { Json } from '../request-body.ts';
import { needsHousehold, type ReportFields } from './report-field.ts';
import { choice, isNumber, object, percentile } from './shapes.ts';

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
    ...object(
      sharesFields,
      'Send an object, such as { "thresholds": [25, 50, 100] }.',
      parseShares,
    ),
    about:
      'Thresholds in the unit of the metric, or in percent with `relativeTo`. Each point has `shares` with the weighted share of households at or above each threshold, from 0 to 1.',
    example: { thresholds: [25, 50, 100] },
    inFull: (value) => (Array.isArray(value) ? { thresholds: value as unknown[] } : value),
    check: (shares, { hasHouseholds, problems }) => {
      if (shares?.of === 'households' && !hasHouseholds) problems.add('shares', sharesOfWhat);
      if (shares?.of === 'results' && hasHouseholds) problems.add('shares[of]', resultsAreGone);
    },
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
} satisfies Partial<ReportFields>;

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
