import { groupBy } from './group-by.ts';
import type { MetricRequest } from './metric-request.ts';
import { effectiveAgents, nulls } from './report-point.ts';
import type { Point, Series } from './result.ts';

/** The request whose points all have their numbers; it stays a report if it is one. */
export function withoutMinimum(request: MetricRequest): MetricRequest {
  const { minAgents, overBuckets, ...rest } = request;
  return minAgents === undefined && overBuckets === undefined ? rest : { ...rest, minAgents: 0 };
}

/**
 * Suppresses points as a privacy floor does: those of fewer agents, and then the smallest others of the bucket, one by
 * one, until the suppressed ones have together as many agents as the floor. With weights, the effective number counts.
 */
export function aboveFloor(
  series: readonly Series[],
  request: MetricRequest,
  floor: number,
): readonly Series[] {
  const minimum = Math.max(floor, request.minAgents ?? 0);
  const agentsOf = request.weight === undefined ? countOf : effectiveCountOf;
  const all = series.flatMap(({ metricData }) => metricData);
  const hidden = new Set(
    [...groupBy(all, bucketOfPoint).values()].flatMap((points) =>
      hiddenPoints(points, minimum, agentsOf),
    ),
  );
  return series.map(({ metricData }) => ({
    metricData: metricData.map((point) =>
      hidden.has(point) ? withoutNumbers(point, request) : withoutExtremes(point, request),
    ),
  }));
}

export function bucketOfPoint({ dtime, aggregatedNumber }: Point): string {
  return JSON.stringify([dtime, aggregatedNumber]);
}

/** The points are in the order of their series. Without a small point, nothing is hidden. */
function hiddenPoints(
  points: readonly Point[],
  minimum: number,
  agentsOf: (point: Point) => number,
): readonly Point[] {
  const smallestFirst = points.toSorted((a, b) => agentsOf(a) - agentsOf(b));
  const hidden: Point[] = [];
  let agents = 0;
  for (const point of smallestFirst) {
    const isNeeded = hidden.length > 0 && agents < minimum;
    if (agentsOf(point) >= minimum && !isNeeded) break;
    hidden.push(point);
    agents += agentsOf(point);
  }
  return hidden;
}

function countOf({ agentCount }: Point): number {
  return Number(agentCount);
}

/** Whole agents. Equal weights of 5 may give 4.999…. */
function effectiveCountOf(point: Point): number {
  const effective = (point as { readonly [effectiveAgents]?: number })[effectiveAgents] ?? 0;
  return Math.min(countOf(point), Math.floor(effective + 1e-6));
}

function withoutNumbers(point: Point, { splits = [] }: MetricRequest): Point {
  const names = ['dtime', 'aggregatedNumber', 'partial', ...splits];
  const kept = Object.entries(point).filter(([name]) => names.includes(name));
  return { ...(nulls(point) as Point), ...Object.fromEntries(kept), suppressed: true };
}

/** The lowest and the highest value are of one household. */
function withoutExtremes(point: Point, { consistent }: MetricRequest): Point {
  const percent = consistent?.households ?? 50;
  return {
    ...point,
    min: null,
    max: null,
    ...(percent < 1 || percent > 99 ? { consistent: null } : {}),
    suppressed: false,
  };
}
