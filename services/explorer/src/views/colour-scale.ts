import type { Metric } from '../../../../openapi/client/index.ts';
import type { ChartParts } from '../chart/chart-parts.ts';
import { label, type Shape, type Theme } from '../drawing/shapes.ts';
import { shortNumber, unitText } from '../dom/number-text.ts';

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

export function colourAt(value: number, { faint, strong }: Range, theme: Theme): string {
  const part = faint === strong ? 0.5 : (value - faint) / (strong - faint);
  return mixed(theme.surface, theme.accent, 0.08 + 0.92 * part);
}

/** The colour of a class between thresholds: the best one is the strongest. */
export function classColour(
  index: number,
  count: number,
  { better }: Pick<Metric, 'better'>,
  theme: Theme,
): string {
  const place = better === 'lower' ? count - 1 - index : index;
  return mixed(theme.surface, theme.accent, 0.12 + (0.88 * place) / Math.max(1, count - 1));
}

interface ScaleParts {
  readonly range: Range;
  readonly metric: ChartParts['metric'];
  readonly x: number;
  readonly y: number;
  /** Of the picture. */
  readonly width: number;
  readonly theme: Theme;
}

/** The colours of both ends of the range, and between. */
export function scaleShapes({ range, metric, x, y, width, theme }: ScaleParts): readonly Shape[] {
  const size = Math.min(200, (width - x) / 2);
  const steps = 24;
  const rects = Array.from({ length: steps }, (_, i): Shape => {
    const value = range.faint + ((range.strong - range.faint) * i) / (steps - 1);
    const fill = colourAt(value, range, theme);
    const left = x + (i * size) / steps;
    return { kind: 'rect', x: left, y, width: size / steps + 0.5, height: 10, fill };
  });
  const [from, to] = [range.faint, range.strong].map((value) =>
    shortNumber(Number(value.toPrecision(3))),
  );
  const verdict = metric.better === null ? '' : ', stronger is better';
  const text = `${from ?? ''} to ${to ?? ''} ${unitText(metric.unit)}${verdict}`;
  return [...rects, label([x + size + 10, y + 10], text, theme.text)];
}

/** A colour between two of the form `#rrggbb` or `#rgb`: 0 is the first, 1 the second. */
function mixed(from: string, to: string, part: number): string {
  const [a, b] = [channels(from), channels(to)];
  const between = a.map((value, i) => Math.round(value + ((b[i] ?? 0) - value) * part));
  return `#${between.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** The colour that is easier to read on a background: the one with the higher contrast. */
export function readableOn(background: string, [a, b]: readonly [string, string]): string {
  const [own, first, second] = [background, a, b].map(luminance) as [number, number, number];
  return contrast(own, first) >= contrast(own, second) ? a : b;
}

/** The contrast ratio of WCAG, of two luminances. */
function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => (value / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The build shortens #ffffff in style sheets to #fff. */
function channels(colour: string): readonly number[] {
  const digits = colour.slice(1);
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  return [0, 2, 4].map((at) => parseInt(long.slice(at, at + 2), 16));
}
