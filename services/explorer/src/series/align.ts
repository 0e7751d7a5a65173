import type { AggregatedPoint } from '../../../../openapi/client/index.ts';
import {
  type Aggregation,
  type ProfileAggregation,
  profileAggregations,
  type TimeAggregation,
} from '../state/view-state.ts';
import { clockSeconds, everyBucket } from './buckets.ts';
import { isAggregated, type Series } from './series.ts';

export interface AlignedSeries {
  readonly series: Series;
  /** One for each x; undefined where there were no results. */
  readonly points: readonly (AggregatedPoint | undefined)[];
}

export interface Aligned {
  /** Seconds of local time, or the number of the hour, weekday or day. */
  readonly xs: readonly number[];
  readonly lines: readonly AlignedSeries[];
}

/** All series over the same x values. */
export function align(
  all: readonly Series[],
  aggregation: TimeAggregation | ProfileAggregation,
): Aligned {
  const byX = all.map(
    ({ points }) => new Map(points.filter(isAggregated).map((point) => [xOf(point), point])),
  );
  const xs = isProfile(aggregation)
    ? profileRange(aggregation)
    : everyBucket(
        byX.flatMap((points) => [...points.keys()]),
        aggregation,
      );
  return {
    xs,
    lines: all.map((series, i) => ({ series, points: xs.map((x) => byX[i]?.get(x)) })),
  };
}

export function isProfile(aggregation: Aggregation): aggregation is ProfileAggregation {
  return profileAggregations.some((one) => one === aggregation);
}

function xOf(point: AggregatedPoint): number {
  return point.aggregatedNumber ?? clockSeconds(point.dtime ?? '');
}

function profileRange(aggregation: ProfileAggregation): readonly number[] {
  const [first, last] = { hour_of_day: [0, 23], day_of_week: [1, 7], day_of_month: [1, 31] }[
    aggregation
  ] as [number, number];
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
