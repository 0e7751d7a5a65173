import type { Metric } from '../../../../openapi/client/index.ts';
import type { ChartParts } from '../chart/chart-parts.ts';
import type { ChartInk } from '../chart/theme.ts';
import { shortNumber, unitText } from '../dom/number-text.ts';
import { label, type Shape } from '../picture/shapes.ts';
import { mixed } from './mixed-colour.ts';

/** The values that a scale of colours covers: the best value, or else the highest, has the strongest colour. */
export interface Range {
  readonly faint: number;
  readonly strong: number;
}

export function rangeOf(values: readonly number[], better: Metric['better']): Range {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  return better === 'lower'
    ? { faint: highest, strong: lowest }
    : { faint: lowest, strong: highest };
}

export function colourAt(value: number, { faint, strong }: Range, ink: ChartInk): string {
  const part = faint === strong ? 0.5 : (value - faint) / (strong - faint);
  return mixed(ink.surface, ink.accent, 0.08 + 0.92 * part);
}

interface ScaleParts {
  readonly range: Range;
  readonly metric: ChartParts['metric'];
  readonly x: number;
  readonly y: number;
  /** Of the picture. */
  readonly width: number;
  readonly ink: ChartInk;
}

/** The colours of both ends of the range, and between. */
export function scaleShapes({ range, metric, x, y, width, ink }: ScaleParts): readonly Shape[] {
  const size = Math.min(200, (width - x) / 2);
  const steps = 24;
  const rects = Array.from({ length: steps }, (_, i): Shape => {
    const value = range.faint + ((range.strong - range.faint) * i) / (steps - 1);
    const fill = colourAt(value, range, ink);
    const left = x + (i * size) / steps;
    return { kind: 'rect', x: left, y, width: size / steps + 0.5, height: 10, fill };
  });
  const [from, to] = [range.faint, range.strong].map((value) =>
    shortNumber(Number(value.toPrecision(3))),
  );
  const verdict = metric.better === null ? '' : ', stronger is better';
  const text = `${from ?? ''} to ${to ?? ''} ${unitText(metric.unit)}${verdict}`;
  return [...rects, label([x + size + 10, y + 10], text, ink.text)];
}
