export const percentileNumbers = [1, 5, 10, 20, 25, 50, 75, 80, 90, 95, 99] as const;

/** `0.01, 0.05 … 0.99`, as fractions for ClickHouse's functions. */
export const percentileLevels = percentileNumbers.map((number) => String(number / 100));

/** Position of the median in `quantiles`, counted from 1. */
export const medianPosition = percentileNumbers.indexOf(50) + 1;
