import uPlot from 'uplot';
import { h } from '../dom/h.ts';
import { shortNumber } from '../dom/number-text.ts';
import { linePicture } from '../picture/xy-picture.ts';
import { align, isProfile } from '../series/align.ts';
import { isShown } from '../series/series.ts';
import type { ProfileAggregation, TimeAggregation } from '../../../catalog/aggregations.ts';
import { axesOf } from './axes.ts';
import { chartFrame } from './chart-frame.ts';
import type { Chart, ChartParts } from './chart-parts.ts';
import { lineReadout } from './line-readout.ts';
import { bandFill, type Line, linesOf } from './line-data.ts';
import { tooltip } from './tooltip.ts';
import { zoomable } from './zoomable.ts';

/** Time series and profiles: one line per series, with its confidence band. */
export function lineChart(parts: ChartParts): Chart {
  const aggregation = parts.aggregation as TimeAggregation | ProfileAggregation;
  const { xs, lines: aligned } = align(parts.series, aggregation);
  const shown = aligned.filter(({ series }) => isShown(series, parts.display));
  const lines = shown.flatMap((one) => linesOf(one, parts));
  const frame = chartFrame(parts, `Lines of ${shown.length} series`);
  const tip = tooltip();
  const readout = lineReadout({ xs, shown, aggregation, parts });
  const full = fullRange(xs);
  const zooming = zoomable(full, parts);
  const axisNote = h('p', { class: 'axis-note hint' });

  function noteOfAxis(from: number): void {
    axisNote.textContent =
      from > 0 ? `The y axis starts at ${shortNumber(Number(from.toPrecision(3)))}, not at 0.` : '';
  }

  const plot = new uPlot(
    {
      ...frame.size(),
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      legend: { show: false },
      padding: [12, 14, 0, 4],
      scales: {
        x: { time: !isProfile(aggregation), range: zooming.range },
        y: { range: valueRange },
      },
      axes: axesOf(aggregation, parts.valueLabel),
      series: [{}, ...lines.map(({ style }) => style)],
      bands: bandsOf(lines),
      cursor: {
        y: false,
        drag: { x: true, y: false },
        points: { show: (_chart, i) => hoverPoint(lines[i - 1]) },
      },
      hooks: {
        setCursor: [
          (chart) => {
            const { idx, left = -1, top = 0 } = chart.cursor;
            if (idx == null || left < 0) tip.hide();
            else tip.show({ left, top }, ...readout.at(idx, chart.posToVal(top, 'y')));
          },
        ],
        setScale: [
          zooming.onScale,
          (chart, scaleKey) => {
            if (scaleKey === 'y') noteOfAxis(chart.scales.y?.min ?? 0);
          },
        ],
      },
    },
    [[...xs], ...lines.map(({ values }) => [...values])],
    frame.element,
  );
  plot.over.append(tip.element);
  frame.element.append(axisNote);
  frame.keys({
    count: xs.length,
    moveTo: (index) => {
      plot.setCursor({ left: plot.valToPos(xs[index] ?? 0, 'x'), top: plot.over.clientHeight / 3 });
      return readout.spoken(index);
    },
    leave: () => plot.setCursor({ left: -10, top: -10 }),
    zoom: (factor) => zooming.by(plot, factor),
  });

  return {
    element: frame.element,
    drawn: () => ({
      kind: 'lines',
      xs: [...(plot.data[0] as number[])],
      series: lines.map(({ owner, part }, i) => ({
        label: owner.series.label,
        part,
        values: [...((plot.data[i + 1] ?? []) as (number | null | undefined)[])],
      })),
    }),
    zoom: (factor) => zooming.by(plot, factor),
    resize: () => plot.setSize(frame.size()),
    picture: (width) => linePicture(xs, lines, { parts, zoom: zooming.current(), plot, width }),
    destroy: () => plot.destroy(),
  };
}

function bandsOf(lines: readonly Line[]): uPlot.Band[] {
  return lines.flatMap((line, i) =>
    line.part === 'high'
      ? [{ series: [i + 1, i + 2] as [number, number], fill: bandFill(line) }]
      : [],
  );
}

function hoverPoint(line: Line | undefined): HTMLElement {
  const point = document.createElement('div');
  // Only on the line itself: the tooltip has its band and percentiles.
  if (line?.part !== 'value' && line?.part !== 'partial') point.hidden = true;
  return point;
}

/** Adds a margin at both ends, so that the first and last point do not touch the edge. */
function fullRange(xs: readonly number[]): { min: number; max: number } {
  const [first = 0] = xs;
  const last = xs.at(-1) ?? first;
  const room = xs.length > 1 ? Math.max((last - first) / 60, 0) : 1;
  return { min: first - room, max: last + room };
}

function valueRange(_chart: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null) return [0, 1];
  if (min === max) return uPlot.rangeNum(min, max, 0.2, true);
  // The axis starts at zero when the values are near it; no metric is negative.
  const room = (max - min) * 0.08;
  return [min >= 0 && min < (max - min) * 0.5 ? 0 : min - room, max + room];
}
