import type { Line } from '../chart/line-data.ts';
import { chartInk, colourOf, dashOf, faded } from '../chart/theme.ts';
import { xLabel } from '../chart/axes.ts';
import { tickText, xText } from '../series/time-text.ts';
import { isProfile } from '../series/align.ts';
import type { Aggregation, Zoom } from '../state/view-state.ts';
import type { Picture, Shape } from './shapes.ts';
import { xyPicture } from './xy-picture.ts';

interface LineParts {
  readonly xs: readonly number[];
  readonly lines: readonly Line[];
  readonly aggregation: Aggregation;
  readonly valueLabel: string;
  readonly zoom: Zoom;
  readonly range: { readonly min: number; readonly max: number };
}

type At = (x: number, y: number) => readonly [number, number];

/** The lines of a chart, its bands and its partial points, as they are on the page. */
export function linePicture(parts: LineParts, width: number): Picture {
  const { xs, lines, aggregation, valueLabel, zoom, range } = parts;
  const ink = chartInk();
  const visible = xs.flatMap((x, i) => (x >= zoom.min && x <= zoom.max ? [i] : []));
  return xyPicture({
    width,
    ink,
    x: { ...zoom, title: xLabel(aggregation) },
    xTicks: ticksOf(visible.map((i) => xs[i] ?? 0)),
    y: { ...range, title: valueLabel },
    shapes: (at) =>
      lines.flatMap((line, i): readonly Shape[] => {
        if (line.part === 'low') return [];
        if (line.part === 'high') return bandOf(line, lines[i + 1], at);
        return lineShapes(line, at);
      }),
  });

  function ticksOf(shown: readonly number[]) {
    const every = Math.max(1, Math.ceil(shown.length / (width / 90)));
    return shown
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
      return [
        {
          kind: 'circle',
          x,
          y,
          radius: 3.5,
          fill: isPartial ? ink.surface : colour,
          stroke: colour,
        },
      ];
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
