import type { RawPoint } from '../../../../openapi/client/index.ts';
import { clockSeconds } from '../series/align.ts';
import { isRaw, type Series } from '../series/series.ts';
import type { Zoom } from '../state/view-state.ts';
import type { Shape, Theme } from './shapes.ts';
import { faded } from './theme.ts';
import type { Plot } from './xy-drawing.ts';

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
export function nearestPoint(
  cloud: PointCloud,
  plot: Plot,
  left: number,
  top: number,
): number | undefined {
  const start = firstAtLeast(cloud.xs, plot.x.xAt(left - reachPixels));
  const end = firstAtLeast(cloud.xs, plot.x.xAt(left + reachPixels));
  let nearest: number | undefined;
  let least = reachPixels ** 2;
  for (let i = start; i < end; i++) {
    const dx = plot.x.at(cloud.xs[i] ?? 0) - left;
    const dy = plot.y.at(cloud.ys[i] ?? 0) - top;
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

/** One translucent dot per result, in the colour of its series; one path per series. */
export function dotShapes(
  cloud: PointCloud,
  { start, end }: IndexRange,
  plot: Plot,
  theme: Theme,
): readonly Shape[] {
  const bySlot = new Map<number, string[]>();
  for (let i = start; i < end; i++) {
    const slot = cloud.owners[i]?.colourSlot ?? 0;
    const [x, y] = [plot.x.at(cloud.xs[i] ?? 0), plot.y.at(cloud.ys[i] ?? 0)];
    const dots = bySlot.get(slot) ?? [];
    if (dots.length === 0) bySlot.set(slot, dots);
    dots.push(`M${x.toFixed(1)},${y.toFixed(1)}h.01`);
  }
  const width = end - start > 800 ? 4.4 : 6.4;
  return [...bySlot].map(([slot, dots]): Shape => ({
    kind: 'path',
    d: dots.join(''),
    stroke: faded(theme.colourOf(slot), 0.55),
    width,
    isRound: true,
    part: 'dots',
  }));
}

const cellPixels = 5;
const steps = 12;

/** The number of results per cell, on a logarithmic scale; one path per strength of the colour. */
export function densityShapes(
  cloud: PointCloud,
  { start, end }: IndexRange,
  plot: Plot,
  theme: Theme,
): readonly Shape[] {
  const counts = new Map<number, number>();
  const columns = Math.ceil(plot.width / cellPixels) + 1;
  for (let i = start; i < end; i++) {
    const column = Math.floor(plot.x.at(cloud.xs[i] ?? 0) / cellPixels);
    const row = Math.floor(plot.y.at(cloud.ys[i] ?? 0) / cellPixels);
    const at = row * columns + column;
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  let most = 1;
  for (const value of counts.values()) most = Math.max(most, value);
  const byStep = new Map<number, string[]>();
  for (const [at, value] of counts) {
    const step = Math.ceil((steps * Math.log1p(value)) / Math.log1p(most));
    const cells = byStep.get(step) ?? [];
    if (cells.length === 0) byStep.set(step, cells);
    const [x, y] = [(at % columns) * cellPixels, Math.floor(at / columns) * cellPixels];
    cells.push(`M${x},${y}h${cellPixels}v${cellPixels}h-${cellPixels}z`);
  }
  return [...byStep].map(([step, cells]): Shape => ({
    kind: 'path',
    d: cells.join(''),
    fill: faded(theme.accent, 0.16 + (0.84 * step) / steps),
    part: 'density',
  }));
}
