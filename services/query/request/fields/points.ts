import type { Field } from '../../../catalog/field.ts';
import { type FieldsOf, needsHousehold, type ReportScope } from './report-field.ts';
import { choice, isNumber, trueOrFalse, wholeNumber } from './shapes.ts';

export interface PointFields {
  readonly switchers: Switchers;
  /** A point with fewer agents has no values. 0: no minimum. */
  readonly minAgents: number;
  readonly householdIntervals: boolean;
  /** Percentiles with intervals, ascending. */
  readonly intervalsOf: readonly number[];
  readonly percentileRule: PercentileRule;
  /** The metadata field by whose values the households were sampled. */
  readonly strata?: Field;
}

/** What becomes of a household that changed its ISP or package within the range. */
export type Switchers = 'asOf' | 'longest' | 'drop';

/**
 * A percentile that is between two households: `linear` interpolates, `lower` takes the smallest value whose cumulative
 * weight reaches it, `average` the mean of that and the next one if the weight is just reached.
 */
export type PercentileRule = 'linear' | 'lower' | 'average';

const maxIntervals = 20;
const switchers = choice('asOf', 'longest', 'drop');
const percentileRules = choice('linear', 'lower', 'average');

/** The fields of a report that do not depend on others. */
export const pointFields = {
  switchers: {
    component: 'Switchers',
    ...switchers,
    default: 'asOf',
    about:
      'Households whose ISP or package changed within the range: `asOf` uses each result with the metadata it had; `longest` only the results of the ISP and package with the most days of results; `drop` leaves them out. A `method` may have its own.',
    flags: {
      switchers: {
        value: 'RULE',
        about: 'asOf, longest, drop: households that changed their ISP or package',
        values: switchers.schema.enum,
      },
    },
    absent: () => 'asOf',
  },
  minAgents: {
    ...wholeNumber,
    about:
      'A point with fewer agents is returned with `suppressed` true and no numbers. A token with a privacy floor has at least that minimum in every request.',
    flags: {
      'min-agents': { value: 'N', about: 'no numbers for points of fewer agents' },
    },
    absent: () => 0,
  },
  householdIntervals: {
    ...trueOrFalse,
    default: false,
    about:
      'Adds `ciHousehold90`, `ciHousehold95`, `ciHousehold99` and `medianCi95`: confidence intervals with households as the sample. The tests of one household are alike, so `ci95` is much too narrow for a statement about households. With `household` or `agent_agg`, `ci95` itself has households as the sample.',
    flags: {
      'household-intervals': { about: 'confidence intervals with households as the sample' },
    },
    absent: () => false,
  },
  intervalsOf: {
    schema: { type: 'array', minItems: 1, maxItems: maxIntervals },
    items: { schema: { type: 'number', minimum: 0, maximum: 100 } },
    about:
      'Percentiles between 0 and 100. Adds `percentilesCi95`, the bounds of the 95 % confidence interval of each, with households as the sample. The highest and lowest percentiles need many households: a bound that none of them reaches is null.',
    example: [5, 50, 95],
    absent: () => [],
    parse: parseIntervals,
  },
  percentileRule: {
    component: 'PercentileRule',
    ...percentileRules,
    default: 'linear',
    about:
      'How percentiles over households are computed. `linear` interpolates between two households. `lower` is the smallest value at or below which a household lies with that share of the weights, and `average` is the mean of that value and the next one if they are exactly that share, as statistical offices and the R package survey compute them (`math`, `school`). `lower` and `average` need `household`.',
    flags: {
      'percentile-rule': {
        value: 'RULE',
        about: 'linear, lower, average: how percentiles over households are computed',
        values: percentileRules.schema.enum,
      },
    },
    absent: () => 'linear',
    check: (rule, { hasHouseholds, problems }) => {
      if (rule !== undefined && rule !== 'linear' && !hasHouseholds) {
        problems.add('percentileRule', needsHousehold);
      }
    },
  },
  strata: {
    schema: { type: 'string', minLength: 1 },
    about:
      'A field of the metadata by which the panel was stratified, such as `isp`: the intervals with households as the sample compare a household with those of its stratum, as of its last result. Needs `household`, `agent_agg`, `householdIntervals` or `intervalsOf`.',
    example: 'isp',
    flags: {
      strata: { value: 'FIELD', about: 'intervals of a panel that was sampled by this field' },
    },
    parse: parseStrata,
  },
} satisfies FieldsOf<PointFields>;

function parseStrata(name: unknown, path: string, scope: ReportScope): Field | null {
  const { problems, hasHouseholds, request } = scope;
  const field = scope.resolve(name, path);
  if (field === null) return null;
  if (!['metadata', 'custom'].includes(field.source.kind)) {
    return problems.add(
      path,
      `${field.name} is not metadata of a household. Send isp, package, country or a custom field.`,
    );
  }
  const hasIntervals = (request.householdIntervals ?? request.intervalsOf) !== undefined;
  if (hasHouseholds || hasIntervals) return field;
  return problems.add(path, 'strata needs intervals. Send "householdIntervals": true too.');
}

function parseIntervals(
  percents: unknown,
  path: string,
  { problems }: ReportScope,
): readonly number[] | null {
  const isList = Array.isArray(percents) && percents.length > 0 && percents.length <= maxIntervals;
  const inside = isList ? percents.filter(isInside) : [];
  if (!isList || inside.length < percents.length) {
    return problems.add(
      path,
      `Send 1 to ${maxIntervals} percentiles between 0 and 100, such as [5, 50, 95].`,
    );
  }
  return [...new Set(inside)].sort((a, b) => a - b);
}

function isInside(percent: unknown): percent is number {
  return isNumber(percent) && percent > 0 && percent < 100;
}
