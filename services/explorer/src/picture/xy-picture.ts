import { niceTicks, xLabel } from '../chart/axes.ts';
import { chartInk, colourOf, dashOf, faded } from '../chart/theme.ts';
import { shortNumber } from '../dom/number-text.ts';
import { label, type Picture, type Place, segment, type Shape } from './shapes.ts';
import type { ChartParts } from '../chart/chart-parts.ts';
import type { Line } from '../chart/line-data.ts';
import { tickText, xText } from '../series/time-text.ts';
import { isProfile } from '../series/align.ts';
import type { Zoom } from '../state/view-state.ts';
import type uPlot from 'uplot';
import { type PointCloud, visibleRange } from '../chart/point-cloud.ts';

/** The part of a chart that the page shows. */
interface ShownPart {
  readonly parts: Pick<ChartParts, 'aggregation' | 'valueLabel'>;
  readonly zoom: Zoom;
  readonly plot: uPlot;
  /** Of the picture. */
  readonly width: number;
}

type At = (x: number, y: number) => Place;

const height = 400;
const area = { left: 70, top: 10, right: 16, bottom: 56 };

/** Axes with the lines or points of a chart that the page draws on a canvas. */
function xyPicture(
  { parts, zoom: x, plot, width }: ShownPart,
  xTicks: readonly { readonly x: number; readonly text: string }[],
  shapes: (at: At) => readonly Shape[],
): Picture {
  const ink = chartInk();
  const { min = 0, max = 1 } = plot.scales.y ?? {};
  const [right, bottom] = [width - area.right, height - area.bottom];
  const xAt = (value: number) =>
    area.left + ((value - x.min) / (x.max - x.min || 1)) * (right - area.left);
  const yAt = (value: number) => bottom - ((value - min) / (max - min || 1)) * (bottom - area.top);
  const ticks = niceTicks(min, max, 6).filter((tick) => tick >= min && tick <= max);
  const title = min > 0 ? `${parts.valueLabel} (axis does not start at 0)` : parts.valueLabel;
  const xTitle = xLabel(parts.aggregation);
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
      label([(area.left + right) / 2, bottom + 42], xTitle, ink.text, { anchor: 'middle' }),
      label([16, (area.top + bottom) / 2], title, ink.text, { anchor: 'middle', isTurned: true }),
      ...shapes((valueX, valueY) => [xAt(valueX), yAt(valueY)]),
    ],
  };
}

/** The lines of a chart, its bands and its partial points, as they are on the page. */
export function linePicture(
  xs: readonly number[],
  lines: readonly Line[],
  shown: ShownPart,
): Picture {
  const { zoom, width } = shown;
  const { aggregation } = shown.parts;
  const { surface } = chartInk();
  const visible = xs.flatMap((x, i) => (x >= zoom.min && x <= zoom.max ? [i] : []));
  return xyPicture(shown, ticksOf(visible.map((i) => xs[i] ?? 0)), (at) =>
    lines.flatMap((line, i): readonly Shape[] => {
      if (line.part === 'low') return [];
      if (line.part === 'high') return bandOf(line, lines[i + 1], at);
      return lineShapes(line, at);
    }),
  );

  function ticksOf(ofPoints: readonly number[]) {
    const every = Math.max(1, Math.ceil(ofPoints.length / (width / 90)));
    return ofPoints
      .filter((_, i) => i % every === 0)
      .map((x, _i, all) => {
        const step = ((all[1] ?? x) - (all[0] ?? x)) | 0;
        return { x, text: isProfile(aggregation) ? xText(x, aggregation) : tickText(x, step) };
      });
  }

  function lineShapes({ owner, part, values }: Line, at: At): readonly Shape[] {
    const colour = colourOf(owner.series.colourSlot);
    const path: Shape = {
      kind: 'path',
      lines: runsOf(values).map((run) => run.map((i) => at(xs[i] ?? 0, values[i] ?? 0))),
      stroke: part === 'value' ? colour : faded(colour, 0.75),
      width: part === 'value' ? 2 : 1,
      dash: part === 'value' ? dashOf(owner.series.colourSlot) : [2, 4],
    };
    const dots = visible.flatMap((i): readonly Shape[] => {
      const value = values[i];
      const isPartial = owner.points[i]?.partial === true;
      if (value == null || (part !== 'value' && !(part === 'partial' && isPartial))) return [];
      if (part === 'value' && visible.length > 45) return [];
      const [x, y] = at(xs[i] ?? 0, value);
      const fill = isPartial ? surface : colour;
      return [{ kind: 'circle', x, y, radius: 3.5, fill, stroke: colour }];
    });
    return [path, ...dots];
  }

  function bandOf({ owner, values: high }: Line, low: Line | undefined, at: At): readonly Shape[] {
    return runsOf(high).map((run) => ({
      kind: 'path',
      lines: [
        [
          ...run.map((i) => at(xs[i] ?? 0, high[i] ?? 0)),
          ...run.toReversed().map((i) => at(xs[i] ?? 0, low?.values[i] ?? 0)),
        ],
      ],
      fill: faded(colourOf(owner.series.colourSlot), 0.16),
    }));
  }

  /** The visible places without gaps. */
  function runsOf(values: Line['values']): readonly (readonly number[])[] {
    const runs: number[][] = [];
    let isOpen = false;
    for (const i of visible) {
      const isThere = values[i] != null;
      if (isThere && isOpen) runs.at(-1)?.push(i);
      else if (isThere) runs.push([i]);
      isOpen = isThere;
    }
    return runs;
  }
}

/** Single results as small squares: one path per colour, so that many of them are still a small file. */
export function cloudPicture(cloud: PointCloud, shown: ShownPart): Picture {
  const { zoom } = shown;
  const { start, end } = visibleRange(cloud, zoom);
  const step = (zoom.max - zoom.min) / 8;
  const ticks = Array.from({ length: 7 }, (_, i) => zoom.min + (i + 1) * step).map((x) => ({
    x,
    text: tickText(step >= 86_400 ? x : Math.round(x / 3600) * 3600, step),
  }));
  return xyPicture(shown, ticks, (at) => {
    const squares = new Map<number, Place[][]>();
    for (let i = start; i < end; i++) {
      const [x, y] = at(cloud.xs[i] ?? 0, cloud.ys[i] ?? 0);
      const slot = cloud.owners[i]?.colourSlot ?? 0;
      const square: Place[] = [
        [x - 1, y - 1],
        [x + 1, y - 1],
        [x + 1, y + 1],
        [x - 1, y + 1],
      ];
      const own = squares.get(slot);
      if (own === undefined) squares.set(slot, [square]);
      else own.push(square);
    }
    return [...squares].map(([slot, lines]): Shape => ({
      kind: 'path',
      lines,
      fill: faded(colourOf(slot), 0.5),
    }));
  });
}
