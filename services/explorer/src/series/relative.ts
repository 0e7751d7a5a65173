import type { DisplayOptions } from '../state/view-state.ts';

/** A value in relation to the first of its series: 100 is the same, or the change in percent. */
export function relativeTo(
  first: number,
  how: DisplayOptions['relative'],
): (value: number) => number {
  if (how === 'off') return (value) => value;
  return how === 'index' ? (value) => (100 * value) / first : (value) => 100 * (value / first - 1);
}

/** What a series has at its first point. */
export const relativeBase = { off: undefined, index: 100, percent: 0 } as const;

export const relativeNames = {
  off: 'As measured',
  index: 'First point = 100',
  percent: 'Change since the first point, %',
} as const;
