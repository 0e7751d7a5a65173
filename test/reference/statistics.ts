import { groupBy } from './group-by.ts';
import { percentile } from './percentile.ts';
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
  return {
    ...statisticsOf(weightedValues(samples, options)),
    sampleCount: samples.length,
    agentCount: distinct(samples.map(({ agentId }) => agentId)),
    unitCount: distinct(samples.map(({ unitId }) => unitId).filter((unit) => unit !== null)),
  };
}

/** The statistics of values whose weights add up to 1. */
export function statisticsOf(items: readonly WeightedValue[]): Readonly<Record<string, unknown>> {
  const mean = sum(items.map(({ value, weight }) => weight * value));
  const variance = sum(items.map(({ value, weight }) => weight * (value - mean) ** 2));
  const stdDev = Math.sqrt(variance);
  const effectiveCount = 1 / sum(items.map(({ weight }) => weight ** 2));
  const halfWidth = (z: number) => (z * stdDev) / Math.sqrt(effectiveCount);
  const values = items.map(({ value }) => value);
  return {
    metricValue: mean,
    stdDev,
    ci90: halfWidth(1.644854),
    ci95: halfWidth(1.959964),
    ci99: halfWidth(2.575829),
    min: Math.min(...values),
    max: Math.max(...values),
    median: percentile(items, 50),
    percentiles: Object.fromEntries(
      percents.map((percent) => [String(percent), percentile(items, percent)]),
    ),
  };
}

export interface WeightedValue {
  readonly value: number;
  readonly weight: number;
}

function weightedValues(
  samples: readonly Sample[],
  { normalised, agentAgg }: StatisticsOptions,
): readonly WeightedValue[] {
  const weightsOf = normalised ? normalisedWeights : plainWeights;
  if (!agentAgg) {
    const weights = weightsOf(samples);
    return samples.map(({ value }, i) => ({ value, weight: weights[i]! }));
  }
  const byAgent = groupBy(samples, ({ agentId }) => agentId);
  return [...byAgent.values()].map((own) => {
    const weights = weightsOf(own);
    return { value: sum(own.map(({ value }, i) => value * weights[i]!)), weight: 1 / byAgent.size };
  });
}
