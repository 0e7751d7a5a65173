import type { ProfileAggregation, TimeAggregation } from '../../../catalog/aggregations.ts';
import { lineEnds, lineShapes, visibleValues } from '../drawing/line-marks.ts';
import { segment, type Shape } from '../drawing/shapes.ts';
import { colourOf, pageTheme } from '../drawing/theme.ts';
import { type PlacedPlot, xyDrawing } from '../drawing/xy-drawing.ts';
import { align } from '../series/align.ts';
import { isDifferenceOverTime } from '../series/estimate.ts';
import { panelsOf } from '../series/panels.ts';
import { relativeBase } from '../series/relative.ts';
import { isShown } from '../series/series.ts';
import type { Zoom } from '../state/view-state.ts';
import type { Chart, ChartParts } from './chart-parts.ts';
import { linesOf } from './line-data.ts';
import { lineReadout } from './line-readout.ts';
import { type Reading, xyChart } from './xy-chart.ts';

/** Time series and profiles: one line per series with its band, in one plot or in panels on the same axes. */
export function lineChart(parts: ChartParts): Chart {
  const { display, query } = parts;
  const aggregation = parts.aggregation as TimeAggregation | ProfileAggregation;
  const visible = parts.series.filter((series) => isShown(series, display));
  // The axis has the periods of all series, also of hidden ones.
  const { xs, lines: aligned } = align(parts.series, aggregation);
  const byKey = new Map(aligned.map((one) => [one.series.key, one.points]));
  const panels = panelsOf(visible, query.splits, display.panelsBy).map(({ title, series }) => {
    const shown = series.map((one) => ({ series: one, points: byKey.get(one.key) ?? [] }));
    const lines = shown.flatMap((one) => linesOf(one, parts));
    return { title, lines, readout: lineReadout({ xs, shown, aggregation, parts }) };
  });
  const all = panels.flatMap(({ lines }) => lines);
  const isDifference = isDifferenceOverTime(query);
  const baseline = isDifference
    ? 0
    : query.view === 'trend'
      ? relativeBase[display.relative]
      : undefined;

  return xyChart(parts, {
    what: `Lines of ${visible.length} series`,
    full: fullRange(xs),
    draw: (zoom, size) =>
      xyDrawing(
        {
          panels: panels.map(({ title, lines }) => ({
            title,
            values: [
              ...visibleValues(xs, lines, zoom),
              ...(baseline === undefined ? [] : [baseline]),
            ],
            draw: (plot, theme) => lineShapes(xs, lines, zoom, plot, theme),
            ends: (plot) => lineEnds(xs, lines, zoom, plot, size.theme),
          })),
          aggregation,
          valueLabel: parts.valueLabel,
          zoom,
          isLog: display.scale === 'log' && baseline !== 0,
          ...(baseline === undefined ? {} : { baseline }),
        },
        size,
      ),
    read: (plot, panel, x, y) => readingAt(plot, panel, nearest(plot.x.xAt(x)), y),
    keys: {
      count: xs.length,
      at: ({ plots: [plot] }, index) => plot && readingAt(plot, 0, index, plot.height / 3),
      spoken: (index) =>
        panels.map(({ readout, title }) => `${title} ${readout.spoken(index)}`.trim()).join('. '),
    },
    drawn: () => ({
      kind: 'lines',
      xs,
      series: all.map(({ owner, part, values }) => ({ label: owner.series.label, part, values })),
    }),
  });

  function readingAt(
    plot: PlacedPlot,
    panel: number,
    index: number,
    y: number,
  ): Reading | undefined {
    const { lines, readout } = panels[panel] ?? {};
    if (lines === undefined || readout === undefined) return undefined;
    const x = plot.x.at(xs[index] ?? 0);
    const [title, rows, note] = readout.at(index, plot.y.valueAt(y));
    const { text, surface } = pageTheme();
    const dots = lines.flatMap(({ owner, part, values }): readonly Shape[] => {
      const value = values[index];
      if (value == null || (part !== 'value' && part !== 'partial')) return [];
      const fill = colourOf(owner.series.colourSlot);
      return [{ kind: 'circle', x, y: plot.y.at(value), radius: 5, fill, stroke: surface }];
    });
    const line: Shape = { ...segment([x, 0], [x, plot.height], text), dash: [3, 3] };
    return { plot, x, y, marks: [line, ...dots], title, rows, note };
  }

  function nearest(x: number): number {
    let best = 0;
    for (let i = 1; i < xs.length; i++) {
      if (Math.abs((xs[i] ?? 0) - x) < Math.abs((xs[best] ?? 0) - x)) best = i;
    }
    return best;
  }
}

/** Adds a margin at both ends, so that the first and last point do not touch the edge. */
function fullRange(xs: readonly number[]): Zoom {
  const [first = 0] = xs;
  const last = xs.at(-1) ?? first;
  const room = xs.length > 1 ? Math.max((last - first) / 60, 0) : 1;
  return { min: first - room, max: last + room };
}
