import type uPlot from 'uplot';
import type { RawPoint } from '../../../../openapi/client/index.ts';
import { clockSeconds } from '../series/align.ts';
import { isRaw, type Series } from '../series/series.ts';
import type { Zoom } from '../state/view-state.ts';
import { chartInk, colourOf, faded } from './theme.ts';

/** Results of all series in order of time, as columns. */
export interface PointCloud {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly owners: readonly Series[];
  readonly results: readonly RawPoint[];
}

export function cloudOf(shown: readonly Series[]): PointCloud {
  const all = shown.flatMap((series) =>
    series.points
      .filter(isRaw)
      .map((result) => ({ x: clockSeconds(result.dtime), series, result })),
  );
  all.sort((a, b) => a.x - b.x);
  return {
    xs: all.map(({ x }) => x),
    ys: all.map(({ result }) => result.metricValue),
    owners: all.map(({ series }) => series),
    results: all.map(({ result }) => result),
  };
}

export interface IndexRange {
  readonly start: number;
  readonly end: number;
}

/** The results inside a zoom range. */
export function visibleRange({ xs }: PointCloud, { min, max }: Zoom): IndexRange {
  return { start: firstAtLeast(xs, min), end: firstAtLeast(xs, max) };
}

const reachPixels = 24;

/** The result under the cursor, if one is near. */
export function nearestPoint(cloud: PointCloud, chart: uPlot): number | undefined {
  const { left = -1, top = -1 } = chart.cursor;
  if (left < 0) return undefined;
  const start = firstAtLeast(cloud.xs, chart.posToVal(left - reachPixels, 'x'));
  const end = firstAtLeast(cloud.xs, chart.posToVal(left + reachPixels, 'x'));
  let nearest: number | undefined;
  let least = reachPixels ** 2;
  for (let i = start; i < end; i++) {
    const dx = chart.valToPos(cloud.xs[i] ?? 0, 'x') - left;
    const dy = chart.valToPos(cloud.ys[i] ?? 0, 'y') - top;
    const distance = dx * dx + dy * dy;
    if (distance < least) {
      least = distance;
      nearest = i;
    }
  }
  return nearest;
}

function firstAtLeast(xs: readonly number[], wanted: number): number {
  let low = 0;
  let high = xs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((xs[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One translucent dot per result, in the colour of its series. */
export function paintPoints(chart: uPlot, cloud: PointCloud, { start, end }: IndexRange): void {
  clipped(chart, (context, ratio) => {
    const radius = (end - start > 800 ? 2.2 : 3.2) * ratio;
    for (let i = start; i < end; i++) {
      context.fillStyle = faded(colourOf(cloud.owners[i]?.colourSlot ?? 0), 0.55);
      context.beginPath();
      context.arc(
        chart.valToPos(cloud.xs[i] ?? 0, 'x', true),
        chart.valToPos(cloud.ys[i] ?? 0, 'y', true),
        radius,
        0,
        2 * Math.PI,
      );
      context.fill();
    }
  });
}

const cellPixels = 5;

/** The number of results per cell, on a logarithmic scale. */
export function paintDensity(chart: uPlot, cloud: PointCloud, { start, end }: IndexRange): void {
  clipped(chart, (context, ratio) => {
    const cell = cellPixels * ratio;
    const counts = new Map<number, number>();
    const columns = Math.ceil(chart.ctx.canvas.width / cell);
    for (let i = start; i < end; i++) {
      const column = Math.floor(chart.valToPos(cloud.xs[i] ?? 0, 'x', true) / cell);
      const row = Math.floor(chart.valToPos(cloud.ys[i] ?? 0, 'y', true) / cell);
      const at = row * columns + column;
      counts.set(at, (counts.get(at) ?? 0) + 1);
    }
    let most = 1;
    for (const value of counts.values()) most = Math.max(most, value);
    const { accent } = chartInk();
    for (const [at, value] of counts) {
      context.fillStyle = faded(accent, 0.16 + (0.84 * Math.log1p(value)) / Math.log1p(most));
      context.fillRect((at % columns) * cell, Math.floor(at / columns) * cell, cell, cell);
    }
  });
}

function clipped(
  chart: uPlot,
  paint: (context: CanvasRenderingContext2D, ratio: number) => void,
): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  paint(ctx, devicePixelRatio);
  ctx.restore();
}
