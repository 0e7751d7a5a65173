import { groupBy } from './group-by.ts';
import { intervalsOfHouseholds } from './household-intervals.ts';
import { percentile, type PercentileRule } from './percentile.ts';
import { distinct, normalisedWeights, plainWeights, sum, type Sample } from './weights.ts';

export interface StatisticsOptions {
  readonly normalised: boolean;
  readonly agentAgg: boolean;
}

const percents = [1, 5, 10, 20, 25, 50, 75, 80, 90, 95, 99];

/** The statistics of a point, from the results of its bucket and series. */
export function statistics(
  samples: readonly Sample[],
  options: StatisticsOptions,
): Readonly<Record<string, unknown>> {
  const items = weightedValues(samples, options);
  return {
    ...statisticsOf(items),
    ...(options.agentAgg ? intervalsOfHouseholds({ items }, 'ci') : {}),
    sampleCount: samples.length,
    agentCount: distinct(samples.map(({ agentId }) => agentId)),
    unitCount: distinct(samples.map(({ unitId }) => unitId).filter((unit) => unit !== null)),
  };
}

/** The statistics of values whose weights add up to 1. */
export function statisticsOf(
  items: readonly WeightedValue[],
  rule?: PercentileRule,
): Readonly<Record<string, unknown>> {
  const values = items.map(({ value }) => value);
  const [min, max] = [Math.min(...values), Math.max(...values)];
  // A mean of equal values may differ from them in the last digit.
  const mean = Math.min(max, Math.max(min, sum(items.map(({ value, weight }) => weight * value))));
  const variance = sum(items.map(({ value, weight }) => weight * (value - mean) ** 2));
  const stdDev = Math.sqrt(variance);
  const effectiveCount = 1 / sum(items.map(({ weight }) => weight ** 2));
  const halfWidth = (z: number) => (z * stdDev) / Math.sqrt(effectiveCount);
  return {
    metricValue: mean,
    stdDev,
    ci90: halfWidth(1.644854),
    ci95: halfWidth(1.959964),
    ci99: halfWidth(2.575829),
    min,
    max,
    median: percentile(items, 50, rule),
    percentiles: Object.fromEntries(
      percents.map((percent) => [String(percent), percentile(items, percent, rule)]),
    ),
  };
}

export interface WeightedValue {
  readonly value: number;
  readonly weight: number;
}

export interface ValueOfAgent extends WeightedValue {
  readonly agentId: string;
}

function weightedValues(
  samples: readonly Sample[],
  { normalised, agentAgg }: StatisticsOptions,
): readonly ValueOfAgent[] {
  const weightsOf = normalised ? normalisedWeights : plainWeights;
  if (!agentAgg) {
    const weights = weightsOf(samples);
    return samples.map(({ value, agentId }, i) => ({ value, agentId, weight: weights[i]! }));
  }
  const byAgent = groupBy(samples, ({ agentId }) => agentId);
  return [...byAgent].map(([agentId, own]) => {
    const weights = weightsOf(own);
    const value = sum(own.map((one, i) => one.value * weights[i]!));
    return { value, agentId, weight: 1 / byAgent.size };
  });
}
