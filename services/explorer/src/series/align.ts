import type { AggregatedPoint, Point } from '../../../../openapi/client/index.ts';
import {
  aggregations,
  type ProfileAggregation,
  type TimeAggregation,
} from '../../../catalog/aggregations.ts';
import type { Aggregation } from '../state/view-state.ts';
import { isAggregated, type Series } from './series.ts';

export interface AlignedSeries {
  readonly series: Series;
  /** One per x; undefined without results. */
  readonly points: readonly (AggregatedPoint | undefined)[];
}

/** All series over the same x values. */
export function align(all: readonly Series[], aggregation: TimeAggregation | ProfileAggregation) {
  const byX = all.map(({ points }) => pointsByX(points));
  const xs = isProfile(aggregation)
    ? profileRange(aggregation)
    : everyBucket(
        byX.flatMap((points) => [...points.keys()]),
        aggregation,
      );
  return {
    /** Seconds of local time, or the number of the hour, weekday or day. */
    xs,
    lines: all.map((series, i) => ({ series, points: xs.map((x) => byX[i]?.get(x)) })),
  };
}

// A chart is drawn again with the same points when a series is hidden.
const known = new WeakMap<readonly Point[], ReadonlyMap<number, AggregatedPoint>>();

function pointsByX(points: readonly Point[]): ReadonlyMap<number, AggregatedPoint> {
  const byX =
    known.get(points) ??
    new Map(points.filter(isAggregated).map((point) => [xOf(point), point] as const));
  known.set(points, byX);
  return byX;
}

export function isProfile(aggregation: Aggregation): aggregation is ProfileAggregation {
  return aggregation !== 'raw' && aggregations[aggregation].kind === 'profile';
}

function xOf(point: AggregatedPoint): number {
  return point.aggregatedNumber ?? clockSeconds(point.dtime ?? '');
}

function profileRange(aggregation: ProfileAggregation): readonly number[] {
  const [first, last] = aggregations[aggregation].range;
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/**
 * Seconds of a local time, counted as if it were UTC: `2026-11-08` and `2026-11-08T13:00:00` are
 * local times of households in many time zones, so the browser's zone must not shift them.
 */
export function clockSeconds(localTime: string): number {
  return Date.parse(localTime.length === 10 ? localTime : `${localTime}Z`) / 1000;
}

/** Every bucket from the first to the last, including empty ones, so that gaps are drawn as gaps. */
export function everyBucket(
  starts: Iterable<number>,
  aggregation: TimeAggregation,
): readonly number[] {
  const sorted = [...new Set(starts)].sort((a, b) => a - b);
  const last = sorted.at(-1);
  if (sorted[0] === undefined || last === undefined) return [];
  const all = new Set(sorted);
  for (let at = sorted[0]; at < last; at = nextBucket(at, aggregation)) all.add(at);
  return [...all].sort((a, b) => a - b);
}

function nextBucket(start: number, aggregation: TimeAggregation): number {
  const { step } = aggregations[aggregation];
  if ('hours' in step) return start + step.hours * 3600;
  const date = new Date(start * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + step.months, 1) / 1000;
}
