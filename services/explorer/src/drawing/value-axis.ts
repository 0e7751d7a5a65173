import { shortNumber } from '../dom/number-text.ts';
import { label, segment, type Shape, type Theme, wrapped } from './shapes.ts';
import { valueScale } from './value-scale.ts';

interface AxisParts {
  readonly values: readonly number[];
  readonly left: number;
  readonly width: number;
  readonly theme: Theme;
  readonly title: string;
  /** Bars must start at 0; dots may start where the values do. */
  readonly hasZero: boolean;
  readonly isLog?: boolean | undefined;
}

export type ValueAxis = ReturnType<typeof valueAxis>;

/** A horizontal axis: where values are, and the shapes of its ticks. */
export function valueAxis({ values, left, width, theme, title, hasZero, isLog }: AxisParts) {
  const between = [left, left + width] as const;
  const { at, ticks, from } = valueScale({ values, between, hasZero, isLog, room: 76 });
  const lines = wrapped(axisTitle(title, from, isLog), width + 40);
  return {
    at,
    titleHeight: lines.length * 14,
    shapes: (top: number, bottom: number): readonly Shape[] => [
      ...ticks.flatMap((tick) => [
        segment([at(tick), top], [at(tick), bottom], theme.grid),
        label([at(tick), bottom + 16], shortNumber(tick), theme.text, { anchor: 'middle' }),
      ]),
      ...lines.map((line, i) =>
        label([left + width / 2, bottom + 36 + i * 14], line, theme.text, { anchor: 'middle' }),
      ),
    ],
  };
}

/** Says what may mislead: an axis that starts above 0, or a logarithmic one. */
export function axisTitle(title: string, from: number, isLog = false): string {
  if (isLog) return `${title} (logarithmic axis)`;
  return from > 0 ? `${title} (axis starts at ${shortNumber(from)})` : title;
}
