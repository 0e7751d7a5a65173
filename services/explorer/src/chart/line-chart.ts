import type { ProfileAggregation, TimeAggregation } from '../../../catalog/aggregations.ts';
import { lineEnds, lineShapes, visibleValues } from '../drawing/line-marks.ts';
import { segment, type Shape } from '../drawing/shapes.ts';
import { colourOf, pageTheme } from '../drawing/theme.ts';
import { type PlacedPlot, xyDrawing } from '../drawing/xy-drawing.ts';
import { align } from '../series/align.ts';
import { isShown } from '../series/series.ts';
import type { Zoom } from '../state/view-state.ts';
import type { Chart, ChartParts } from './chart-parts.ts';
import { linesOf } from './line-data.ts';
import { lineReadout } from './line-readout.ts';
import { type Reading, xyChart } from './xy-chart.ts';

/** Time series and profiles: one line per series, with its confidence band. */
export function lineChart(parts: ChartParts): Chart {
  const aggregation = parts.aggregation as TimeAggregation | ProfileAggregation;
  const { xs, lines: aligned } = align(parts.series, aggregation);
  const shown = aligned.filter(({ series }) => isShown(series, parts.display));
  const lines = shown.flatMap((one) => linesOf(one, parts));
  const readout = lineReadout({ xs, shown, aggregation, parts });

  return xyChart(parts, {
    what: `Lines of ${shown.length} series`,
    full: fullRange(xs),
    draw: (zoom, size) =>
      xyDrawing(
        {
          panels: [
            {
              title: '',
              values: visibleValues(xs, lines, zoom),
              draw: (plot, theme) => lineShapes(xs, lines, zoom, plot, theme),
              ends: (plot) => lineEnds(xs, lines, zoom, plot, size.theme),
            },
          ],
          aggregation,
          valueLabel: parts.valueLabel,
          zoom,
        },
        size,
      ),
    read: (plot, _index, x, y) => readingAt(plot, nearest(plot.x.xAt(x)), y),
    keys: {
      count: xs.length,
      at: ({ plots: [plot] }, index) => plot && readingAt(plot, index, plot.height / 3),
      spoken: readout.spoken,
    },
    drawn: () => ({
      kind: 'lines',
      xs,
      series: lines.map(({ owner, part, values }) => ({ label: owner.series.label, part, values })),
    }),
  });

  function readingAt(plot: PlacedPlot, index: number, y: number): Reading {
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
