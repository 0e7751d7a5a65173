import type { AggregatedPoint } from '../../../../openapi/client/index.ts';
import {
  aggregations,
  type ProfileAggregation,
  type TimeAggregation,
} from '../../../catalog/aggregations.ts';
import type { Aggregation } from '../state/view-state.ts';
import { clockSeconds, everyBucket } from './buckets.ts';
import { isAggregated, type Series } from './series.ts';

export interface AlignedSeries {
  readonly series: Series;
  /** One per x; undefined without results. */
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
  return aggregation !== 'raw' && aggregations[aggregation].kind === 'profile';
}

function xOf(point: AggregatedPoint): number {
  return point.aggregatedNumber ?? clockSeconds(point.dtime ?? '');
}

function profileRange(aggregation: ProfileAggregation): readonly number[] {
  const [first, last] = aggregations[aggregation].range;
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
