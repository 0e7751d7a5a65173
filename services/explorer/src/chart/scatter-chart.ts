import {
  cloudOf,
  densityShapes,
  dotShapes,
  nearestPoint,
  visibleRange,
} from '../drawing/cloud-marks.ts';
import { colourOf, pageTheme } from '../drawing/theme.ts';
import { type PlacedPlot, type Plot, xyDrawing } from '../drawing/xy-drawing.ts';
import { count, exactNumber, unitText } from '../dom/number-text.ts';
import type { Theme } from '../drawing/shapes.ts';
import { panelsOf } from '../series/panels.ts';
import { isShown } from '../series/series.ts';
import { xText } from '../series/time-text.ts';
import type { Chart, ChartParts } from './chart-parts.ts';
import { type Reading, xyChart } from './xy-chart.ts';

/** More dots would overlap too much to read. */
const maxDots = 4000;

/** Raw results: one dot per result, or the density above `maxDots`. */
export function scatterChart(parts: ChartParts): Chart {
  const shown = parts.series.filter((series) => isShown(series, parts.display));
  const cloud = cloudOf(shown);
  const panels = panelsOf(shown, parts.query.splits, parts.display.panelsBy).map(
    ({ title, series }) => ({
      title,
      keys: new Set<string | undefined>(series.map(({ key }) => key)),
      cloud: cloudOf(series),
    }),
  );
  const room = ((cloud.xs.at(-1) ?? 1) - (cloud.xs[0] ?? 0)) / 80 || 1800;
  const full = { min: (cloud.xs[0] ?? 0) - room, max: (cloud.xs.at(-1) ?? 1) + room };
  let isDense = false;

  const chart = xyChart(parts, {
    what: `${count(cloud.xs.length)} single results`,
    full,
    draw: (zoom, size) => {
      const range = visibleRange(cloud, zoom);
      isDense = range.end - range.start > maxDots;
      const shapesOf = isDense ? densityShapes : dotShapes;
      parts.host.dataset.density = String(isDense);
      return xyDrawing(
        {
          panels: panels.map(({ title, cloud: own }) => {
            const visible = visibleRange(own, zoom);
            return {
              title,
              values: own.ys.slice(visible.start, visible.end),
              draw: (plot: Plot, theme: Theme) => shapesOf(own, visible, plot, theme),
            };
          }),
          aggregation: 'raw',
          valueLabel: parts.valueLabel,
          zoom,
          isLog: parts.display.scale === 'log',
        },
        size,
      );
    },
    read: (plot, panel, x, y) => {
      const own = panels[panel]?.cloud ?? cloud;
      const index = nearestPoint(own, plot, x, y);
      const result = index === undefined ? undefined : own.results[index];
      // The same result in the cloud of all panels.
      return readingOf(plot, result && cloud.results.indexOf(result));
    },
    keys: {
      count: cloud.xs.length,
      at: ({ plots }, index) => {
        const key = cloud.owners[index]?.key;
        const plot = plots[panels.findIndex(({ keys }) => keys.has(key))];
        return plot && readingOf(plot, index);
      },
      spoken: (index) => `${titleOf(index)}. ${valueOf(index)}, ${detailsOf(index)}`,
    },
    drawn: () => ({
      kind: isDense ? 'density' : 'points',
      xs: cloud.xs,
      series: [{ label: parts.valueLabel, part: 'value', values: cloud.ys }],
    }),
  });
  return chart;

  function readingOf(plot: PlacedPlot, index: number | undefined): Reading | undefined {
    if (index === undefined) return undefined;
    const [x, y] = [plot.x.at(cloud.xs[index] ?? 0), plot.y.at(cloud.ys[index] ?? 0)];
    const owner = cloud.owners[index];
    const colour = colourOf(owner?.colourSlot ?? 0);
    const row = {
      colour,
      label: owner?.label ?? '',
      value: valueOf(index),
      details: detailsOf(index),
    };
    const marks = [
      { kind: 'circle' as const, x, y, radius: 5, fill: 'none', stroke: pageTheme().ink },
    ];
    return { plot, x, y, marks, title: titleOf(index), rows: [row] };
  }

  function titleOf(index: number): string {
    return `${xText(cloud.xs[index] ?? 0, 'raw')}, local time`;
  }

  function valueOf(index: number): string {
    return `${exactNumber(cloud.ys[index] ?? 0)} ${unitText(parts.metric.unit)}`;
  }

  function detailsOf(index: number): string {
    const result = cloud.results[index];
    const unit = result?.unit == null ? '' : ` · unit ${result.unit}`;
    return `agent ${result?.agent ?? ''}${unit} · 1 of ${count(cloud.xs.length)} results`;
  }
}
