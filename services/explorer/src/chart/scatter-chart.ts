import uPlot from 'uplot';
import { count, exactNumber, unitText } from '../dom/number-text.ts';
import { xText } from '../series/time-text.ts';
import { isShown } from '../series/series.ts';
import { cloudPicture } from '../picture/xy-picture.ts';
import { axesOf } from './axes.ts';
import { chartFrame } from './chart-frame.ts';
import type { Chart, ChartParts } from './chart-parts.ts';
import {
  cloudOf,
  nearestPoint,
  paintDensity,
  paintPoints,
  type PointCloud,
  visibleRange,
} from './point-cloud.ts';
import { colourOf } from './theme.ts';
import { tooltip } from './tooltip.ts';
import { zoomable } from './zoomable.ts';

/** More dots would overlap too much to read. */
const maxDots = 4000;

/** Raw results: one dot per result, or the density above `maxDots`. */
export function scatterChart(parts: ChartParts): Chart {
  const shown = parts.series.filter((series) => isShown(series, parts.display));
  const cloud = cloudOf(shown);
  const frame = chartFrame(parts, `${count(cloud.xs.length)} single results`);
  const tip = tooltip();
  const room = ((cloud.xs.at(-1) ?? 1) - (cloud.xs[0] ?? 0)) / 80 || 1800;
  const full = { min: (cloud.xs[0] ?? 0) - room, max: (cloud.xs.at(-1) ?? 1) + room };
  const zooming = zoomable(full, parts);
  let isDense = false;

  const plot = new uPlot(
    {
      ...frame.size(),
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      legend: { show: false },
      padding: [12, 14, 0, 4],
      scales: {
        x: { time: true, range: zooming.range },
        y: { auto: false, range: () => valueRange(cloud, zooming.current()) },
      },
      axes: axesOf('raw', parts.valueLabel),
      series: [{}, { show: true, points: { show: false } }],
      cursor: { drag: { x: true, y: false }, points: { show: false } },
      hooks: {
        drawSeries: [paint],
        setCursor: [(chart) => point(nearestPoint(cloud, chart))],
        setScale: [zooming.onScale],
      },
    },
    // uPlot draws axes, zoom and cursor; the dots are painted in `drawSeries`.
    [
      [full.min, full.max],
      [null, null],
    ],
    frame.element,
  );
  plot.over.append(tip.element);
  frame.keys({
    count: cloud.xs.length,
    moveTo: (index) => {
      point(index);
      return `${titleOf(index)}. ${valueOf(index)}, ${detailsOf(index)}`;
    },
    leave: tip.hide,
    zoom: (factor) => zooming.by(plot, factor),
  });

  return {
    element: frame.element,
    drawn: () => ({
      kind: isDense ? 'density' : 'points',
      xs: [...cloud.xs],
      series: [{ label: parts.valueLabel, part: 'value', values: [...cloud.ys] }],
    }),
    zoom: (factor) => zooming.by(plot, factor),
    resize: () => plot.setSize(frame.size()),
    picture: (width) => cloudPicture(cloud, { parts, zoom: zooming.current(), plot, width }),
    destroy: () => plot.destroy(),
  };

  function paint(chart: uPlot): void {
    const range = visibleRange(cloud, zooming.current());
    isDense = range.end - range.start > maxDots;
    frame.element.dataset.density = String(isDense);
    if (isDense) paintDensity(chart, cloud, range);
    else paintPoints(chart, cloud, range);
  }

  function point(index: number | undefined): void {
    if (index === undefined) {
      tip.hide();
      return;
    }
    const at = {
      left: plot.valToPos(cloud.xs[index] ?? 0, 'x'),
      top: plot.valToPos(cloud.ys[index] ?? 0, 'y'),
    };
    const owner = cloud.owners[index];
    const row = {
      colour: colourOf(owner?.colourSlot ?? 0),
      label: owner?.label ?? '',
      value: valueOf(index),
      details: detailsOf(index),
    };
    tip.show(at, titleOf(index), [row]);
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

function valueRange(cloud: PointCloud, zoom: { min: number; max: number }): uPlot.Range.MinMax {
  const { start, end } = visibleRange(cloud, zoom);
  let min = Infinity;
  let max = -Infinity;
  for (let i = start; i < end; i++) {
    const y = cloud.ys[i] ?? 0;
    min = Math.min(min, y);
    max = Math.max(max, y);
  }
  if (min > max) return [0, 1];
  const room = (max - min) * 0.05 || 1;
  return [min >= 0 && min < (max - min) * 0.5 ? 0 : min - room, max + room];
}
