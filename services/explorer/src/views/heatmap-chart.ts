import type { Chart, ChartParts } from '../chart/chart-parts.ts';
import { type DrawingSize, label, type Shape, type Theme, wrapped } from '../drawing/shapes.ts';
import { estimateOf } from '../series/estimate.ts';
import { isAggregated, isShown, type Series } from '../series/series.ts';
import { weekdays, xText } from '../series/time-text.ts';
import { colourAt, type Range, rangeOf, scaleShapes } from './colour-scale.ts';
import { type DrawnPicture, type Region, shapeChart } from './shape-chart.ts';
import { countsOf } from './total-of.ts';

/** More maps would be too small to compare. */
const maxMaps = 6;
const rowHeight = 20;
const left = 40;

/**
 * Hours of the day by weekdays, one map per series. All have one scale of colours, so that they can be compared, or each
 * its own, for the evenings of a slow network next to a fast one.
 */
export function heatmapChart(parts: ChartParts): Chart {
  const all = parts.series.filter((series) => isShown(series, parts.display));
  const shown = all.slice(0, maxMaps);
  return shapeChart(
    parts,
    `Heat map of ${shown.length} series by hour and weekday`,
    drawMaps,
    () => ({
      kind: 'heatmap',
      xs: Array.from({ length: 168 }, (_, i) => i),
      series: shown.map((series) => {
        const byHour = valuesByHour(series);
        const values = Array.from({ length: 168 }, (_, i) => byHour.get(i)?.metricValue ?? null);
        return { label: series.label, part: 'value', values };
      }),
    }),
  );

  function drawMaps({ width, theme }: DrawingSize): DrawnPicture {
    const cell = (width - left) / 24;
    const shapes: Shape[] = [];
    const regions: Region[] = [];
    let y = 4;
    const isShared = parts.display.colours === 'shared';
    const sharedRange = rangeOf(shown.flatMap(valuesOf), parts.metric.better);
    for (const series of shown) {
      for (const line of shown.length > 1 ? wrapped(series.label, width) : []) {
        shapes.push(label([0, y + 12], line, theme.ink, { isBold: true }));
        y += 18;
      }
      const range = isShared ? sharedRange : rangeOf(valuesOf(series), parts.metric.better);
      drawMap(series, range, y, cell, theme, shapes, regions);
      y += 7 * rowHeight + 24;
      if (!isShared || series === shown.at(-1)) {
        shapes.push(...scaleShapes({ range, metric: parts.metric, x: left, y, width, theme }));
        y += 36;
      }
    }
    if (all.length > shown.length) {
      const text = `${shown.length} of ${all.length} series. Hide some to see others.`;
      shapes.push(label([0, y + 8], text, theme.text));
      y += 20;
    }
    return { picture: { width, height: y, shapes }, regions };
  }

  function drawMap(
    series: Series,
    range: Range,
    top: number,
    cell: number,
    theme: Theme,
    shapes: Shape[],
    regions: Region[],
  ): void {
    const byHour = valuesByHour(series);
    for (const [day, name] of weekdays.entries()) {
      shapes.push(label([0, top + day * rowHeight + 14], name, theme.text));
    }
    for (let hour = 0; hour < 24; hour += cell < 16 ? 6 : 3) {
      const text = `${String(hour).padStart(2, '0')}:00`;
      shapes.push(label([left + hour * cell, top + 7 * rowHeight + 14], text, theme.text));
    }
    for (let i = 0; i < 168; i++) {
      const point = byHour.get(i);
      const place = {
        x: left + (i % 24) * cell,
        y: top + Math.floor(i / 24) * rowHeight,
        width: cell - 1,
        height: rowHeight - 1,
      };
      const value = point?.metricValue ?? null;
      const fill = value === null ? theme.grid : colourAt(value, range, theme);
      shapes.push({ kind: 'rect', ...place, fill });
      if (point === undefined || value === null) continue;
      const row = {
        colour: fill,
        label: shown.length > 1 ? series.label : '',
        value: estimateOf(point, parts)?.text ?? '',
        details: countsOf(point),
      };
      const title = `${xText(i, 'hour_of_week')}, local time`;
      regions.push({ ...place, width: cell, height: rowHeight, title, rows: [row] });
    }
  }
}

function valuesOf({ points }: Series): readonly number[] {
  return points.filter(isAggregated).flatMap(({ metricValue }) => metricValue ?? []);
}

function valuesByHour({ points }: Series) {
  return new Map(
    points.filter(isAggregated).map((point) => [point.aggregatedNumber ?? -1, point] as const),
  );
}
