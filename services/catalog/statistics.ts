/** A number of every aggregated point: of one bucket of one series. */
export interface Statistic {
  /** As in the response, the CSV file and the contract. */
  readonly name: string;
  readonly description: string;
  readonly kind: 'number' | 'integer';
  /** SQL over the aggregates below. */
  readonly sql: string;
}

/** What statistics are made of: computed per bucket and series, from values that count equally or not. */
export interface Aggregate {
  readonly name: string;
  /** SQL over a column of values that all count the same. */
  readonly even: (value: string) => string;
  /**
   * SQL over the arrays `xs` (values, ascending) and `ws` (their weights), with `total_weight`, `mean`,
   * and `places`: where each value stands, from 0 for the first to 1 for the last.
   */
  readonly weighted: string;
}

/** The percentiles of a point: an object in JSON, a column each in CSV. */
export const percentileNumbers = [1, 5, 10, 20, 25, 50, 75, 80, 90, 95, 99] as const;

/** `0.01, 0.05 … 0.99`, as fractions for ClickHouse's functions. */
const percentileLevels = percentileNumbers.map((number) => String(number / 100));

export const aggregates: readonly Aggregate[] = [
  { name: 'mean', even: (value) => `avg(${value})`, weighted: 'mean' },
  {
    name: 'deviation',
    // The textbook formula E[x²] - E[x]² loses all digits where values are large and close together.
    even: (value) => `stddevPopStable(${value})`,
    weighted: 'sqrt(arraySum((x, w) -> w * pow(x - mean, 2), xs, ws) / total_weight)',
  },
  {
    name: 'effective_count',
    even: () => 'toFloat64(count())',
    weighted: 'pow(total_weight, 2) / arraySum(w -> w * w, ws)',
  },
  { name: 'lowest', even: (value) => `min(${value})`, weighted: 'xs[1]' },
  { name: 'highest', even: (value) => `max(${value})`, weighted: 'xs[-1]' },
  {
    name: 'quantiles',
    even: (value) => `quantilesExactInclusive(
    ${percentileLevels.join(', ')})(${value})`,
    weighted: weightedQuantiles(),
  },
];

/** Beside these a point has its bucket (`dtime` or `aggregatedNumber`) and its percentiles. */
export const statistics: readonly Statistic[] = [
  {
    name: 'metricValue',
    description: 'Mean, in the unit of the metric; of a rate, the ratio of sums.',
    kind: 'number',
    sql: 'mean',
  },
  {
    name: 'stdDev',
    description: 'Population standard deviation.',
    kind: 'number',
    sql: 'deviation',
  },
  { name: 'sampleCount', description: 'Results.', kind: 'integer', sql: 'samples' },
  { name: 'agentCount', description: 'Distinct agents.', kind: 'integer', sql: 'agents' },
  { name: 'unitCount', description: 'Distinct units.', kind: 'integer', sql: 'units' },
  confidenceInterval(90, '1.644854'),
  confidenceInterval(95, '1.959964'),
  confidenceInterval(99, '2.575829'),
  { name: 'min', description: 'Lowest value.', kind: 'number', sql: 'lowest' },
  { name: 'max', description: 'Highest value.', kind: 'number', sql: 'highest' },
  {
    name: 'median',
    description: 'Percentile 50.',
    kind: 'number',
    sql: `quantiles[${percentileNumbers.indexOf(50) + 1}]`,
  },
];

/** The columns every point can have beside its splits. No split is named like them. */
export const pointColumns: readonly string[] = [
  ...statistics.map(({ name }) => name),
  'dtime',
  'aggregatedNumber',
  'percentiles',
  ...percentileNumbers.map((number) => `p${number}`),
];

function confidenceInterval(percent: number, z: string): Statistic {
  return {
    name: `ci${percent}`,
    description: `Half-width of the ${percent} % confidence interval of the mean.`,
    kind: 'number',
    sql: `${z} * deviation / sqrt(effective_count)`,
  };
}

/**
 * For each level the value at or below it and the next, and linearly between the two; of one value, that
 * value. The levels are written out, as a lambda would copy the arrays.
 */
function weightedQuantiles(): string {
  const around = percentileLevels.map(
    (level) => `    arraySlice(placed_values, arrayCount(place -> place <= ${level}, places), 2)`,
  );
  return `arrayMap(
    (level, around) -> around[1].1 + if(length(around) = 1, 0,
        (around[2].1 - around[1].1) * (level - around[1].2) / (around[2].2 - around[1].2)),
    [${percentileLevels.join(', ')}],
    [
    ${around.join(',\n    ')}
    ])`;
}
