import type uPlot from 'uplot';
import type { RawPoint } from '../../../../openapi/client/index.ts';
import { clockSeconds } from '../series/buckets.ts';
import { isRaw, type Series } from '../series/series.ts';
import type { Zoom } from '../state/view-state.ts';

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
