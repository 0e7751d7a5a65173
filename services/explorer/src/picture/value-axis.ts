import { niceTicks } from '../chart/axes.ts';
import { shortNumber } from '../dom/number-text.ts';
import type { ChartInk } from '../chart/theme.ts';
import { label, segment, type Shape, wrapped } from './shapes.ts';

interface AxisParts {
  readonly values: readonly number[];
  readonly left: number;
  readonly width: number;
  readonly ink: ChartInk;
  readonly title: string;
  /** Bars must start at 0; dots may start where the values do. */
  readonly hasZero: boolean;
}

export type ValueAxis = ReturnType<typeof valueAxis>;

/** A horizontal axis: where values are, and the shapes of its ticks. */
export function valueAxis({ values, left, width, ink, title, hasZero }: AxisParts) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // Starts at 0 also if that is near, as the lines do.
  const isNearZero = hasZero || (low >= 0 && low < (high - low) * 0.5);
  const ticks = niceTicks(isNearZero ? Math.min(0, low) : low, high, width < 420 ? 3 : 6);
  const [first = 0] = ticks;
  const last = ticks.at(-1) ?? first + 1;
  const at = (value: number) => left + ((value - first) / (last - first || 1)) * width;
  const note = first > 0 ? `${title} (axis starts at ${shortNumber(first)})` : title;
  const lines = wrapped(note, width + 40);
  return {
    at,
    titleHeight: lines.length * 14,
    shapes: (top: number, bottom: number): readonly Shape[] => [
      ...ticks.flatMap((tick) => [
        segment([at(tick), top], [at(tick), bottom], ink.grid),
        label([at(tick), bottom + 16], shortNumber(tick), ink.text, { anchor: 'middle' }),
      ]),
      ...lines.map((line, i) =>
        label([left + width / 2, bottom + 36 + i * 14], line, ink.text, { anchor: 'middle' }),
      ),
    ],
  };
}
