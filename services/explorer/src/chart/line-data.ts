import type uPlot from 'uplot';
import type { AggregatedPoint } from '../../../../openapi/client/index.ts';
import type { AlignedSeries } from '../series/align.ts';
import type { ConfidenceLevel, DisplayOptions } from '../state/view-state.ts';
import { colourOf, dashOf, faded } from './theme.ts';

/** One line on the canvas, with the numbers it is drawn from. */
export interface Line {
  readonly owner: AlignedSeries;
  readonly part: string;
  readonly values: readonly (number | null)[];
  readonly style: uPlot.Series;
}

/** Band ends, then percentiles, then the value, which is drawn on top. */
export function linesOf(owner: AlignedSeries, display: DisplayOptions): Line[] {
  const colour = colourOf(owner.series.index);
  const dash = dashOf(owner.series.index);
  const lineOf = (
    part: string,
    valueOf: (point: AggregatedPoint) => number | null,
    style: uPlot.Series,
  ): Line => ({
    owner,
    part,
    values: owner.points.map((point) => (point === undefined ? null : valueOf(point))),
    style: { label: owner.series.label, spanGaps: false, points: { show: false }, ...style },
  });
  const edge = { stroke: 'transparent', width: 0 };
  const { band } = display;
  return [
    ...(band === 'off'
      ? []
      : [
          lineOf('high', (point) => bandEnd(point, band, 1), edge),
          lineOf('low', (point) => bandEnd(point, band, -1), edge),
        ]),
    ...display.percentiles.map((key) =>
      lineOf(`p${key}`, (point) => point.percentiles[key] ?? null, {
        stroke: faded(colour, 0.75),
        width: 1,
        dash: [3, 3],
      }),
    ),
    lineOf('value', ({ metricValue }) => metricValue, {
      stroke: colour,
      width: 2,
      dash,
      points: { show: true, size: 6, width: 2, stroke: colour, filter: pointsToMark },
    }),
  ];
}

export function bandFill(line: Line): string {
  return faded(colourOf(line.owner.series.index), 0.16);
}

export function bandEnd(
  point: AggregatedPoint,
  level: ConfidenceLevel,
  sign: 1 | -1,
): number | null {
  const half = point[`ci${level}`];
  return point.metricValue === null || half === null ? null : point.metricValue + sign * half;
}

// A short line shows its points. A long line shows only points between two gaps, where no line is.
const pointsToMark: uPlot.Series.Points.Filter = (chart, seriesIndex) => {
  const values = chart.data[seriesIndex] ?? [];
  const marked: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (values[i] == null) continue;
    if (values.length <= 45 || (values[i - 1] == null && values[i + 1] == null)) marked.push(i);
  }
  return marked;
};
