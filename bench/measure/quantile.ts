/** `quantile(times, 0.5)` is the median. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.floor(share * sorted.length));
  const value = sorted[index];
  if (value === undefined) throw new Error('a quantile needs at least one sample');
  return value;
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}
