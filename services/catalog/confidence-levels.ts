/** Percent, and the quantile of the normal distribution. */
export const confidenceLevels = [
  { percent: 90, z: '1.644854' },
  { percent: 95, z: '1.959964' },
  { percent: 99, z: '2.575829' },
] as const;
