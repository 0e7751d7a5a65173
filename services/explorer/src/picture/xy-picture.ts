import { niceTicks } from '../chart/nice-ticks.ts';
import type { ChartInk } from '../chart/theme.ts';
import { shortNumber } from '../dom/number-text.ts';
import { label, type Picture, segment, type Shape } from './shapes.ts';

interface XyParts {
  readonly width: number;
  readonly ink: ChartInk;
  readonly x: { readonly min: number; readonly max: number; readonly title: string };
  readonly xTicks: readonly { readonly x: number; readonly text: string }[];
  readonly y: { readonly min: number; readonly max: number; readonly title: string };
  /** What is drawn, with the places of values. */
  readonly shapes: (at: (x: number, y: number) => readonly [number, number]) => readonly Shape[];
}

const height = 400;
const area = { left: 70, top: 10, right: 16, bottom: 56 };

/** Axes with the lines or points of a chart that the page draws on a canvas. */
export function xyPicture({ width, ink, x, xTicks, y, shapes }: XyParts): Picture {
  const [right, bottom] = [width - area.right, height - area.bottom];
  const xAt = (value: number) =>
    area.left + ((value - x.min) / (x.max - x.min || 1)) * (right - area.left);
  const yAt = (value: number) =>
    bottom - ((value - y.min) / (y.max - y.min || 1)) * (bottom - area.top);
  const ticks = niceTicks(y.min, y.max, 6).filter((tick) => tick >= y.min && tick <= y.max);
  const title = y.min > 0 ? `${y.title} (axis does not start at 0)` : y.title;
  return {
    width,
    height,
    shapes: [
      ...ticks.flatMap((tick) => [
        segment([area.left, yAt(tick)], [right, yAt(tick)], ink.grid),
        label([area.left - 8, yAt(tick) + 4], shortNumber(tick), ink.text, { anchor: 'end' }),
      ]),
      ...xTicks.map((tick) =>
        label([xAt(tick.x), bottom + 18], tick.text, ink.text, { anchor: 'middle' }),
      ),
      label([(area.left + right) / 2, bottom + 42], x.title, ink.text, { anchor: 'middle' }),
      label([16, (area.top + bottom) / 2], title, ink.text, { anchor: 'middle', isTurned: true }),
      ...shapes((valueX, valueY) => [xAt(valueX), yAt(valueY)]),
    ],
  };
}
