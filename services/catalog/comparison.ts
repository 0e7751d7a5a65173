import { confidenceLevels } from './confidence-levels.ts';

/** A number that a comparison adds to a point: SQL over the step `differences`. */
interface ComparedNumber {
  readonly name: string;
  readonly description: string;
  readonly sql: string;
  readonly kind?: 'integer';
}

/** The fields of `difference` besides `medianCi95` and `reason`. */
export const differenceNumbers: readonly ComparedNumber[] = [
  { name: 'metricValue', description: 'here less there', sql: 'difference' },
  {
    name: 'percent',
    description: 'the same in percent of there; null if that is 0',
    sql: 'if(there_mean = 0, NULL, 100 * difference / there_mean)',
  },
  ...confidenceLevels.map(({ percent }) => ({
    name: `ci${percent}`,
    description: `half-width of its ${percent} % confidence interval, with households as the sample`,
    sql: `if(is_tested, t${percent} * mean_error, NULL)`,
  })),
  {
    name: 'p',
    description:
      'probability of a difference at least as large by chance, if there is none (two-sided)',
    sql: 'p',
  },
  {
    name: 'pAdjusted',
    description:
      'the same for all points of the response together, adjusted by Benjamini and Hochberg; null if only one has a `p`',
    sql: 'p_adjusted',
  },
  {
    name: 'df',
    description: 'degrees of freedom',
    sql: 'if(is_tested, mean_degrees, NULL)',
  },
  { name: 'median', description: 'median here less median there', sql: 'median_difference' },
];

/** The bounds of the interval of the difference of the medians. */
export const medianInterval = `if(least(is_tested, isNotNull(median_error), here_has_density, there_has_density),
        arrayMap(t -> median_difference + t * median_error, [-median_t95, median_t95]),
        [NULL, NULL])`;

/** Why a difference has no `p`. */
export const comparisonReasons = {
  suppressed: 'a side is suppressed, or the privacy floor hides the difference or its error',
  noComparedValue: 'a side has no value',
  masked: 'a side has masked values',
  preAggregated: 'only published percentiles are known, not the results behind them',
  fewHouseholds: 'a side has fewer than two households',
  noReplicates:
    'with `weightReplicates`: a household has no replicate weights, the sides have other numbers of them, or a replicate has no household',
  noVariance: 'the difference has no variance',
};

export const householdCounts: readonly ComparedNumber[] = [
  { name: 'both', description: 'on both sides', sql: shownCount('both'), kind: 'integer' },
  { name: 'onlyHere', description: 'only here', sql: shownCount('only_here'), kind: 'integer' },
  { name: 'onlyThere', description: 'only there', sql: shownCount('only_there'), kind: 'integer' },
];

function shownCount(name: string): string {
  return `if(is_hidden, NULL, ${name})`;
}

/** Their sum is the difference. */
export const changeNumbers: readonly ComparedNumber[] = [
  { name: 'joined', description: 'households that are only here', sql: 'joined' },
  { name: 'left', description: 'households that are only there', sql: 'left_out' },
  {
    name: 'samePlan',
    description: 'other values of households on both sides with the same ISP and package',
    sql: 'same_plan',
  },
  {
    name: 'changedPlan',
    description: 'other values of households on both sides with another ISP or package',
    sql: 'changed_plan',
  },
  {
    name: 'reweighted',
    description: 'other weights of households on both sides',
    sql: 'reweighted',
  },
];

/** The name of the column in CSV: `differenceP` of `difference` and `p`. */
export function comparisonColumn(group: string, name: string): string {
  return `${group}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const groupNumbers = {
  difference: [
    ...differenceNumbers.map(({ name }) => name),
    'medianCi95Low',
    'medianCi95High',
    'reason',
  ],
  households: householdCounts.map(({ name }) => name),
  change: changeNumbers.map(({ name }) => name),
};

/** The columns in CSV of the numbers that are not those of the other side. */
export function columnsOfGroup(group: keyof typeof groupNumbers): readonly string[] {
  return groupNumbers[group].map((name) => comparisonColumn(group, name));
}
