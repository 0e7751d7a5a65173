/** The percentiles of an aggregated point. */
export const percentileNumbers = [1, 5, 10, 20, 25, 50, 75, 80, 90, 95, 99] as const;

/** The columns every point of an answer can have beside its splits. No split is named like them. */
export const pointColumns: readonly string[] = [
  'metricValue',
  'dtime',
  'aggregatedNumber',
  'stdDev',
  'sampleCount',
  'agentCount',
  'unitCount',
  'ci90',
  'ci95',
  'ci99',
  'min',
  'max',
  'median',
  'percentiles',
  ...percentileNumbers.map((number) => `p${number}`),
];
