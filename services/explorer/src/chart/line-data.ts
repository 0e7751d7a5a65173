import type uPlot from 'uplot';
import type { AggregatedPoint } from '../../../../openapi/client/index.ts';
import type { AlignedSeries } from '../series/align.ts';
import { estimateOf } from '../series/estimate.ts';
import type { ChartParts } from './chart-parts.ts';
import { chartInk, colourOf, dashOf, faded } from './theme.ts';

/** One line on the canvas, with the numbers it is drawn from. */
export interface Line {
  readonly owner: AlignedSeries;
  readonly part: string;
  readonly values: readonly (number | null)[];
  readonly style: uPlot.Series;
}

/** Band ends, then percentiles, then the value, which is drawn on top. */
export function linesOf(
  owner: AlignedSeries,
  parts: Pick<ChartParts, 'query' | 'metric' | 'display'>,
): Line[] {
  const { display } = parts;
  const colour = colourOf(owner.series.colourSlot);
  const dash = dashOf(owner.series.colourSlot);
  const lineOf = (
    part: string,
    valueOf: (point: AggregatedPoint) => number | null,
    style: uPlot.Series,
  ): Line => ({
    owner,
    part,
    values: owner.points.map((point) =>
      point === undefined || point.partial === true ? null : valueOf(point),
    ),
    style: { label: owner.series.label, spanGaps: false, points: { show: false }, ...style },
  });
  const edge = { stroke: 'transparent', width: 0 };
  const numberOf = (name: 'value' | 'low' | 'high') => (point: AggregatedPoint) =>
    estimateOf(point, parts)?.[name] ?? null;
  return [
    ...(display.band === 'off' && parts.query.view === 'trend'
      ? []
      : [lineOf('high', numberOf('high'), edge), lineOf('low', numberOf('low'), edge)]),
    ...display.percentiles.map((key) =>
      lineOf(`p${key}`, (point) => point.percentiles[key] ?? null, {
        stroke: faded(colour, 0.75),
        width: 1,
        dash: [3, 3],
      }),
    ),
    lineOf('value', numberOf('value'), {
      stroke: colour,
      width: 2,
      dash,
      points: { show: true, size: 6, width: 2, stroke: colour, filter: pointsToMark },
    }),
    ...partialLine(),
  ];

  /** Partial points are hollow, joined by dashes to their neighbours, and not part of the line. */
  function partialLine(): Line[] {
    const isPartial = (i: number) => owner.points[i]?.partial === true;
    if (!owner.points.some((_, i) => isPartial(i))) return [];
    const line = lineOf('partial', () => null, {
      stroke: faded(colour, 0.7),
      width: 1.5,
      dash: [2, 5],
      points: {
        show: true,
        size: 7,
        width: 1.5,
        stroke: colour,
        fill: chartInk().surface,
        filter: () => owner.points.flatMap((_, i) => (isPartial(i) ? [i] : [])),
      },
    });
    const isDrawn = (i: number) => isPartial(i) || isPartial(i - 1) || isPartial(i + 1);
    const values = owner.points.map((point, i) =>
      isDrawn(i) && point !== undefined ? numberOf('value')(point) : null,
    );
    return [{ ...line, values }];
  }
}

export function bandFill(line: Line): string {
  return faded(colourOf(line.owner.series.colourSlot), 0.16);
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
