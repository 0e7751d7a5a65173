import type { Query } from './view-state.ts';

/** At most as many as the colours of classes can be told apart. */
const mostThresholds = 6;

/** The thresholds between which shares are stacked, ascending; none if there is one share. */
export function betweenThresholds({ between }: Pick<Query, 'between'>): readonly number[] {
  return readThresholds(between);
}

/** `10, 30, 100` */
export function readThresholds(text: string): readonly number[] {
  const numbers = text
    .split(/[,;\s]+/)
    .filter((part) => part !== '')
    .map(Number);
  const known = [...new Set(numbers.filter(Number.isFinite))].sort((a, b) => a - b);
  return known.slice(0, mostThresholds);
}
