import {
  changeNumbers,
  columnsOfGroup,
  comparisonColumn,
  comparisonReasons,
  differenceNumbers,
  householdCounts,
} from './comparison.ts';
import { confidenceLevels } from './confidence-levels.ts';
import { weightedQuantiles } from './weighted-quantiles.ts';

/** A statistic of an aggregated point, that is, of one bucket of one series. */
export interface Statistic {
  /** Name in the response, the CSV file and the contract. */
  readonly name: string;
  readonly description: string;
  readonly kind: 'number' | 'integer';
  /** SQL over the aggregates below. */
  readonly sql: string;
  /** The same if the values are those of households. */
  readonly ofHouseholds?: string;
  /** The same of a published cell, if that is something else. */
  readonly ofCells?: string;
}

/** Statistics are computed from aggregates, one per bucket and series, with or without weights. */
export interface Aggregate {
  readonly name: string;
  /** SQL over a column of values of equal weight. */
  readonly unweighted: (value: string) => string;
  /**
   * SQL over the arrays `xs` (values, ascending) and `ws` (their weights), with `total_weight`, `mean` and
   * the columns that `weightedQuantiles` reads.
   */
  readonly weighted: string;
}

/** The percentiles of a point: an object in JSON, one column per percentile in CSV. */
export const percentileNumbers = [1, 5, 10, 20, 25, 50, 75, 80, 90, 95, 99] as const;

/** `0.01, 0.05 … 0.99`, as fractions for ClickHouse's functions. */
const percentileLevels = percentileNumbers.map((number) => String(number / 100));

export const aggregates: readonly Aggregate[] = [
  {
    name: 'mean',
    // The mean of equal values may differ from them in the last digit.
    unweighted: (value) => `clamp(avg(${value}), min(${value}), max(${value}))`,
    weighted: 'mean',
  },
  {
    name: 'deviation',
    // The formula E[x²] - E[x]² loses all digits if values are large and close together.
    unweighted: (value) => `stddevPopStable(${value})`,
    weighted: 'sqrt(arraySum((x, w) -> w * (x - mean) * (x - mean), xs, ws) / total_weight)',
  },
  {
    name: 'effective_count',
    unweighted: (value) => `toFloat64(count(${value}))`,
    weighted: 'pow(total_weight, 2) / arraySum(w -> w * w, ws)',
  },
  { name: 'lowest', unweighted: (value) => `min(${value})`, weighted: 'xs[1]' },
  { name: 'highest', unweighted: (value) => `max(${value})`, weighted: 'xs[-1]' },
  {
    name: 'quantiles',
    unweighted: (value) => `quantilesExactInclusive(
    ${percentileLevels.join(', ')})(${value})`,
    weighted: weightedQuantiles(percentileLevels),
  },
];

/** With `householdIntervals`: half-widths of intervals that treat the results of a household as dependent. */
export const householdIntervals = confidenceLevels.map(({ percent }) => ({
  name: `ciHousehold${percent}`,
  description: `Half-width of the ${percent} % confidence interval of the mean, with households as the sample. Null with fewer than two.`,
  sql: ofHouseholds(percent),
}));

/** `household_error` is the standard error with households as the sample, NULL for fewer than two. */
function ofHouseholds(percent: number): string {
  return `t${percent} * household_error`;
}

/** What was expected and received for a point. */
export const coverageNumbers = {
  expected: 'results that the schedule gives for the hours of the expected agents',
  received: 'results of the point, before any is left out',
  agents: 'agents whose metadata matched the point in some of its hours',
  reporting: 'agents with at least one of these results',
  share: '`reporting / agents`',
} as const;

/** The name of its column in CSV: `coverageShare`. */
export function coverageColumn(name: string): string {
  return `coverage${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Why results and households are not in the numbers of a point. */
const leftOutReasons = {
  resultsOfSwitchers: '',
  resultsExcluded: ' (if a household is excluded from metrics)',
  resultsWithoutField: ' (of `relativeTo`)',
  resultsWithoutWeight: '',
  resultsTrimmed: '',
  householdsBelowMinimum: ' (with `minResults` or `minDays`)',
  householdsWithoutValue: ' (only rows without a value, such as failed tests)',
};

export type LeftOutReason = keyof typeof leftOutReasons;

/** A column that only points of reports have. The contract and the names that splits cannot have follow from it. */
export interface ReportColumn {
  readonly name: string;
  readonly description: string;
  /**
   * Default: a number. `numbers`, `integers`: an object in JSON, one column per number in CSV. `interval`: a list of both
   * bounds, or two columns; `intervals`: an object of such lists; `point`: the numbers of another point; `difference`.
   */
  readonly kind?:
    'boolean' | 'numbers' | 'integers' | 'interval' | 'intervals' | 'point' | 'difference';
  /** The names of these columns in CSV. */
  readonly columns?: readonly string[];
  /** If they are named by numbers of the request: `share` of `share25` and `share-2.5`. */
  readonly columnPrefix?: string;
  /** How these names end: `Ci95Low` of `p5Ci95Low`. Absent: in any way. */
  readonly columnSuffixes?: readonly string[];
}

/** The bounds of an interval, as the names of its columns in CSV end. */
export const boundNames = ['Low', 'High'] as const;

function boundColumns(name: string): readonly string[] {
  return boundNames.map((bound) => `${name}${bound}`);
}

export const reportColumns: readonly ReportColumn[] = [
  ...householdIntervals,
  {
    name: 'medianCi95',
    kind: 'interval',
    columns: boundColumns('medianCi95'),
    description:
      'With `householdIntervals`: bounds of the 95 % confidence interval of the median, with households as the sample. A bound beyond the values is null.',
  },
  {
    name: 'percentilesCi95',
    kind: 'intervals',
    columnPrefix: 'p',
    columnSuffixes: boundColumns('Ci95'),
    description: 'The same of each percentile of `intervalsOf`.',
  },
  {
    name: 'effectiveHouseholds',
    description: 'With `weight`: households of equal weight that would give intervals as narrow.',
  },
  {
    name: 'designEffect',
    description: 'With `weight`: `agentCount / effectiveHouseholds`.',
  },
  {
    name: 'singleStrata',
    description:
      'With `strata`: strata with only one household, which is compared with all others.',
  },
  {
    name: 'maskedCount',
    description:
      'Of metrics whose published values can be masked: households, or results, of the point that only have a bound. Numbers that depend on their values are null.',
  },
  { name: 'consistent', description: 'The percentile of percentiles of `consistent`.' },
  {
    name: 'shares',
    kind: 'numbers',
    columnPrefix: 'share',
    description: 'Share of households or results at or above each threshold, from 0 to 1.',
  },
  {
    name: 'sharesAtMost',
    kind: 'numbers',
    columnPrefix: 'shareAtMost',
    description: 'Share of households or results at or below each threshold, from 0 to 1.',
  },
  ...['shares', 'sharesAtMost'].map((name) => ({
    name: `${name}Ci95`,
    kind: 'intervals' as const,
    description: `Bounds of the 95 % confidence intervals of \`${name}\`, with households as the sample. Null with fewer than two. Of results only with \`householdIntervals\`.`,
  })),
  {
    name: 'leftOut',
    kind: 'integers',
    columns: Object.keys(leftOutReasons),
    description: `Left out of the numbers, by reason: ${Object.entries(leftOutReasons)
      .map(([name, when]) => `\`${name}\`${when}`)
      .join(', ')}.`,
  },
  {
    name: 'coverage',
    kind: 'numbers',
    columns: Object.keys(coverageNumbers).map(coverageColumn),
    description: `With \`coverage\`: ${Object.entries(coverageNumbers)
      .map(([name, what]) => `\`${name}\`, ${what}`)
      .join('; ')}.`,
  },
  {
    name: 'suppressed',
    kind: 'boolean',
    description:
      'Whether the point is suppressed: it has fewer agents than `minAgents` or the privacy floor, or with a floor it would reveal the numbers of such a point.',
  },
];

/** What a comparison adds to a point. */
export const comparisonColumns: readonly ReportColumn[] = [
  {
    name: 'compared',
    kind: 'point',
    description:
      'With `compare`: the numbers of the other side, with its `dtime`. In CSV, a column each: `comparedMetricValue`, `comparedP5`.',
  },
  {
    name: 'difference',
    kind: 'difference',
    columns: columnsOfGroup('difference'),
    description: `With \`compare\`: ${listed(differenceNumbers)}; \`medianCi95\`, bounds of the 95 % confidence interval of the difference of the medians; \`reason\`, why there is no \`p\`: ${Object.entries(
      comparisonReasons,
    )
      .map(([name, when]) => `\`${name}\`, ${when}`)
      .join('; ')}.`,
  },
  {
    name: 'households',
    kind: 'integers',
    columns: columnsOfGroup('households'),
    description: `With \`compare\`, agents that count in the point: ${listed(householdCounts)}.`,
  },
  {
    name: 'change',
    kind: 'numbers',
    columns: columnsOfGroup('change'),
    description: `With another time in \`compare\`, what the difference consists of: ${listed(changeNumbers)}. \`samePlan\` and \`changedPlan\` are null with a privacy floor that hides them.`,
  },
];

function listed(
  numbers: readonly { readonly name: string; readonly description: string }[],
): string {
  return numbers.map(({ name, description }) => `\`${name}\`, ${description}`).join('; ');
}

/** Of the households behind a published cell. */
const unknownCount = "CAST(NULL, 'Nullable(UInt64)')";

/** A point also has its bucket (`dtime` or `aggregatedNumber`) and its percentiles. */
export const statistics: readonly Statistic[] = [
  {
    name: 'metricValue',
    description: 'Mean, in the unit of the metric; for a rate, the ratio of sums.',
    kind: 'number',
    sql: 'mean',
  },
  {
    name: 'stdDev',
    description: 'Population standard deviation.',
    kind: 'number',
    sql: 'deviation',
  },
  { name: 'sampleCount', description: 'Number of results.', kind: 'integer', sql: 'samples' },
  {
    name: 'agentCount',
    description: 'Number of distinct agents. Null for published percentiles: it is unknown.',
    kind: 'integer',
    sql: 'agents',
    ofCells: unknownCount,
  },
  {
    name: 'unitCount',
    description: 'Number of distinct units. Null for published percentiles.',
    kind: 'integer',
    sql: 'units',
    ofCells: unknownCount,
  },
  ...confidenceLevels.map(confidenceInterval),
  { name: 'min', description: 'Lowest value.', kind: 'number', sql: 'lowest' },
  { name: 'max', description: 'Highest value.', kind: 'number', sql: 'highest' },
  {
    name: 'median',
    description: '50th percentile.',
    kind: 'number',
    sql: `quantiles[${percentileNumbers.indexOf(50) + 1}]`,
  },
];

/** Whether a point or a row may have this column besides its splits. A split cannot have one of these names. */
export function isPointColumn(name: string): boolean {
  return (
    pointColumns.has(name) ||
    reportColumns.some((column) => isNumbered(name, column)) ||
    isOfComparedPoint(name)
  );
}

/** `comparedP5` is the column `p5` of the other side. */
function isOfComparedPoint(name: string): boolean {
  const [, first = '', rest = ''] = /^compared(.)(.*)$/s.exec(name) ?? [];
  const own = `${first.toLowerCase()}${rest}`;
  return first !== '' && comparisonColumn('compared', own) === name && isPointColumn(own);
}

function isNumbered(name: string, { columnPrefix, columnSuffixes = [''] }: ReportColumn): boolean {
  return (
    columnPrefix !== undefined &&
    name.startsWith(columnPrefix) &&
    /^-?\d/.test(name.slice(columnPrefix.length)) &&
    columnSuffixes.some((suffix) => name.endsWith(suffix))
  );
}

const pointColumns: ReadonlySet<string> = new Set([
  ...[...statistics, ...reportColumns, ...comparisonColumns].map(({ name }) => name),
  ...[...reportColumns, ...comparisonColumns].flatMap(({ columns = [] }) => columns),
  ...['dtime', 'aggregatedNumber', 'partial', 'percentiles', 'bucketShare', 'bucketCount'],
  ...percentileNumbers.map((number) => `p${number}`),
]);

function confidenceInterval({ percent, z }: (typeof confidenceLevels)[number]): Statistic {
  return {
    name: `ci${percent}`,
    description: `Half-width of the ${percent} % confidence interval of the mean. With \`household\` or \`agent_agg\`, households are the sample: null with fewer than two.`,
    kind: 'number',
    sql: `${z} * deviation / sqrt(effective_count)`,
    ofHouseholds: ofHouseholds(percent),
  };
}
