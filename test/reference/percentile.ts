/** A value and its weight; the weights of a list add up to 1. */
export interface Weighted {
  readonly value: number;
  readonly weight: number;
}

/** What a percentile between two values is. */
export type PercentileRule = 'linear' | 'lower' | 'average';

/** Linear interpolation between the two closest values, or another rule. Equal values are ordered by weight. */
export function percentile(
  items: readonly Weighted[],
  percent: number,
  rule: PercentileRule = 'linear',
): number {
  if (rule !== 'linear') return percentileOfSteps(items, percent, rule);
  const sorted = items.toSorted((a, b) => a.value - b.value || a.weight - b.weight);
  const positions = positionsOf(sorted.map(({ weight }) => weight));
  const wanted = percent / 100;
  const above = positions.findIndex((position) => position >= wanted);
  if (above <= 0) return above === 0 ? sorted[0]!.value : sorted.at(-1)!.value;
  const [low, high] = [sorted[above - 1]!.value, sorted[above]!.value];
  const [from, to] = [positions[above - 1]!, positions[above]!];
  return low + ((wanted - from) / (to - from)) * (high - low);
}

/** The position of each value from 0 (first) to 1 (last): the middle of its weight, scaled. */
function positionsOf(weights: readonly number[]): readonly number[] {
  let before = 0;
  const middles = weights.map((weight) => {
    const middle = before + weight / 2;
    before += weight;
    return middle;
  });
  const [first, last] = [middles[0]!, middles.at(-1)!];
  return middles.map((middle) => (last === first ? 0 : (middle - first) / (last - first)));
}

/** The smallest value whose cumulative weight reaches the percentile; `average`: with the next one if it is just reached. */
function percentileOfSteps(
  items: readonly Weighted[],
  percent: number,
  rule: 'lower' | 'average',
): number {
  const sorted = items.toSorted((a, b) => a.value - b.value);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let reached = 0;
  for (const [i, { value, weight }] of sorted.entries()) {
    reached += weight / total;
    if (reached < percent / 100 - 1e-9) continue;
    const next = sorted[i + 1];
    const isBetween = rule === 'average' && next !== undefined && reached <= percent / 100 + 1e-9;
    return isBetween ? (value + next.value) / 2 : value;
  }
  return sorted.at(-1)!.value;
}
