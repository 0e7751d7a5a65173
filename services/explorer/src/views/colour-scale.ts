import type { ChartInk } from '../chart/theme.ts';
import { shortNumber, unitText } from '../dom/number-text.ts';
import { label, type Shape } from '../picture/shapes.ts';
import { mixed } from './mixed-colour.ts';

/** The values that a scale of colours covers. */
export interface Range {
  readonly lowest: number;
  readonly highest: number;
}

export function rangeOf(values: readonly number[]): Range {
  return { lowest: Math.min(...values), highest: Math.max(...values) };
}

export function colourAt(value: number, { lowest, highest }: Range, ink: ChartInk): string {
  const part = highest === lowest ? 0.5 : (value - lowest) / (highest - lowest);
  return mixed(ink.surface, ink.accent, 0.08 + 0.92 * part);
}

interface ScaleParts {
  readonly range: Range;
  readonly unit: string;
  readonly x: number;
  readonly y: number;
  /** Of the picture. */
  readonly width: number;
  readonly ink: ChartInk;
}

/** The colours of the lowest and the highest value, and between. */
export function scaleShapes({ range, unit, x, y, width, ink }: ScaleParts): readonly Shape[] {
  const size = Math.min(200, (width - x) / 2);
  const steps = 24;
  const rects = Array.from({ length: steps }, (_, i): Shape => {
    const value = range.lowest + ((range.highest - range.lowest) * i) / (steps - 1);
    const fill = colourAt(value, range, ink);
    const left = x + (i * size) / steps;
    return { kind: 'rect', x: left, y, width: size / steps + 0.5, height: 10, fill };
  });
  const [low, high] = [range.lowest, range.highest].map((value) =>
    shortNumber(Number(value.toPrecision(3))),
  );
  const text = `${low ?? ''} to ${high ?? ''} ${unitText(unit)}`;
  return [...rects, label([x + size + 10, y + 10], text, ink.text)];
}
