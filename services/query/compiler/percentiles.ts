import { percentileNumbers } from '../../catalog/point-columns.ts';

/** `0.01, 0.05 … 0.99`, as fractions for ClickHouse's functions. */
export const percentileLevels = percentileNumbers.map((number) => String(number / 100));

/** Position of the median in `quantiles`, counted from 1. */
export const medianPosition = percentileNumbers.indexOf(50) + 1;
