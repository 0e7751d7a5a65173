import { groupBy } from './group-by.ts';
import type { Interval } from './household-intervals.ts';
import { maskedIn } from './masked.ts';
import { householdOf, type MetricRequest } from './metric-request.ts';
import { type FloorFacts, floorFacts, nulls } from './report-point.ts';
import type { Point, Series } from './result.ts';
import { hiddenShares, shareFields } from './shares.ts';
import { sum } from './weights.ts';

/** The request whose points all have their numbers; it stays a report if it is one. */
export function withoutMinimum(request: MetricRequest): MetricRequest {
  const { minAgents, overBuckets, ...rest } = request;
  return minAgents === undefined && overBuckets === undefined ? rest : { ...rest, minAgents: 0 };
}

/**
 * Suppresses points as a privacy floor does: those of fewer agents, and then the smallest others of the bucket, one by
 * one, until the suppressed ones have together as many agents as the floor. With factors, the effective number counts.
 */
export function aboveFloor(
  series: readonly Series[],
  request: MetricRequest,
  floor: number,
): readonly Series[] {
  const minimum = fewestAgents(request, floor);
  const all = series.flatMap(({ metricData }) => metricData);
  const hidden = new Set(
    [...groupBy(all, bucketOfPoint).values()].flatMap((points) => hiddenPoints(points, minimum)),
  );
  return series.map(({ metricData }) => ({
    metricData: metricData.map((point) => shownPoint(point, hidden.has(point), request, floor)),
  }));
}

/** The larger of the caller's floor and the minimum of the request. */
export function fewestAgents({ minAgents = 0 }: MetricRequest, floor: number): number {
  return Math.max(floor, minAgents);
}

/** What a caller with a floor sees of a point. */
export function shownPoint(
  point: Point,
  isHidden: boolean,
  request: MetricRequest,
  floor: number,
): Point {
  return isHidden
    ? withoutNumbers(point, request)
    : protectedPoint(point, request, fewestAgents(request, floor));
}

export function bucketOfPoint({ dtime, aggregatedNumber }: Point): string {
  return JSON.stringify([dtime, aggregatedNumber]);
}

/** The points are in the order of their series. Without a small point, nothing is hidden. */
function hiddenPoints(points: readonly Point[], minimum: number): readonly Point[] {
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

/** Whole agents. Equal weights of 5 may give 4.999…. */
export function agentsOf(point: Point): number {
  const agents = Number(point.agentCount);
  return Math.min(agents, Math.floor(effectiveCount(factsOf(point).factors) + 1e-6));
}

/** The smallest effective number of agents, by each factor: (Σf)² / Σf². Without factors there is no limit. */
function effectiveCount(factors: FloorFacts['factors']): number {
  const counts = (factors[0] ?? []).map((_, i) => {
    const column = factors.map((own) => own[i]!);
    return sum(column) ** 2 / sum(column.map((factor) => factor ** 2));
  });
  return Math.min(Infinity, ...counts);
}

function factsOf(point: Point): FloorFacts {
  const { [floorFacts]: facts } = point as { readonly [floorFacts]?: FloorFacts };
  return (
    facts ?? {
      factors: [],
      weights: [],
      shares: [],
      leftOut: {},
      places: {},
      stratumOf: new Map(),
      hasReplicates: false,
    }
  );
}

function withoutNumbers(point: Point, { splits = [] }: MetricRequest): Point {
  const names = ['dtime', 'aggregatedNumber', 'partial', ...splits];
  const kept = Object.entries(point).filter(([name]) => names.includes(name));
  return { ...(nulls(point) as Point), ...Object.fromEntries(kept), suppressed: true };
}

/** A shown point without the numbers that would show the value of one household. */
function protectedPoint(point: Point, request: MetricRequest, minimum: number): Point {
  const facts = factsOf(point);
  const isShown = (percent: number) => isOrdinary(point, percent, minimum);
  const percentiles = mapped(point.percentiles, (name, value) =>
    isShown(Number(name)) ? value : null,
  );
  const deviations = Object.keys(point).filter((name) => /^stdDev$|^ci/.test(name));
  const leftOut = mapped(point.leftOut, (name, value) =>
    isFew(facts.leftOut[name] ?? 0, minimum) ? null : value,
  );
  const hidesReceived = Object.entries(leftOut).some(
    ([name, value]) => name !== 'householdsWithoutValue' && value === null,
  );
  return {
    ...point,
    ...nullsOf(['min', 'max', ...(isShown(50) ? [] : ['median'])]),
    percentiles,
    ...(request.consistent === undefined || isShown(request.consistent.households)
      ? {}
      : nullsOf(['consistent'])),
    ...nullsOf(hiddenDeviations(facts, request, minimum, deviations)),
    ...protectedShares(point, request, minimum),
    ...protectedIntervals(point, request, minimum),
    ...(request.strata === undefined ? {} : nullsOf(['singleStrata'])),
    ...(hidesMaskedCount(point, minimum) ? { maskedCount: null } : {}),
    ...(point.leftOut === undefined ? {} : { leftOut }),
    ...(point.coverage === undefined || !hidesReceived
      ? {}
      : { coverage: { ...point.coverage, received: null } }),
    suppressed: false,
  };
}

/** Households with a masked value, or without one. */
function hidesMaskedCount(point: Point, minimum: number): boolean {
  const { agents } = maskedIn(point);
  const others = Number(point.agentCount) - agents.size;
  return point.maskedCount !== undefined && (isFew(agents.size, minimum) || isFew(others, minimum));
}

function hiddenDeviations(
  facts: FloorFacts,
  request: MetricRequest,
  minimum: number,
  all: readonly string[],
): readonly string[] {
  const hidden = hidesSquares(facts, minimum) ? all : [];
  const { weight, strata, householdIntervals = false, compare } = request;
  const hasOther = householdIntervals || (strata ?? compare) !== undefined;
  if (householdOf(request) === undefined && hasOther) {
    return [...hidden, ...all.filter((name) => !name.startsWith('ciHousehold'))];
  }
  return weight === undefined && strata === undefined ? hidden : [...hidden, 'stdDev'];
}

/** Whether a floor hides the standard error of the point's mean with households as the sample. */
export function hidesHouseholdError(point: Point, minimum: number): boolean {
  return hidesSquares(factsOf(point), minimum);
}

/** Whether a floor hides an interval between two places, such as that of the median. */
export function hidesInterval(
  point: Point,
  places: Interval,
  request: MetricRequest,
  minimum: number,
): boolean {
  return (
    householdOf(request) === undefined ||
    hidesHouseholdError(point, minimum) ||
    places.some((place) => place !== null && !isOrdinary(point, 100 * place, minimum))
  );
}

/** Whether enough agents are on both sides of a percentile, whichever have the lowest and highest values. */
function isOrdinary(point: Point, percent: number, minimum: number): boolean {
  const side = Math.min(percent, 100 - percent);
  if (agentsOf(point) * side < minimum * 100) return false;
  const heaviestFirst = factsOf(point).weights.toSorted((a, b) => b - a);
  const [largest = 0] = heaviestFirst;
  const ofFew = sum(heaviestFirst.slice(0, minimum - 1)) / (1 - largest / 2);
  return 100 * ofFew + 1e-9 < side;
}

/** Sums of squares of which one household, or a few of one stratum, have too large a part. */
function hidesSquares({ factors, stratumOf, hasReplicates }: FloorFacts, minimum: number): boolean {
  // A group of replicates may be of one household.
  if (hasReplicates) return true;
  const squares = factors.map((own) => own.map((factor) => factor ** 2));
  const strata = [...groupBy([...stratumOf.values()], String).values()];
  return (
    Math.floor(effectiveCount(squares) + 1e-6) < minimum ||
    strata.some((own) => own.length < minimum)
  );
}

/** Of households only. Bounds are percentiles, and the interval of a share that is hidden is hidden too. */
function protectedIntervals(point: Point, request: MetricRequest, minimum: number): Point {
  const { places } = factsOf(point);
  const isHidden = householdOf(request) === undefined || hidesHouseholdError(point, minimum);
  const shown = (bounds: unknown, at: unknown) =>
    (bounds as Interval).map((bound, i) =>
      bound === null || isHidden || !isOrdinary(point, 100 * (at as Interval)[i]!, minimum)
        ? null
        : bound,
    );
  const shares = protectedShares(point, request, minimum);
  const ofShares = shareFields
    .filter((field) => point[`${field}Ci95`] !== undefined)
    .map((field): [string, Point] => [
      `${field}Ci95`,
      mapped(point[`${field}Ci95`], (name, interval) =>
        isHidden || (shares[field] as Point)[name] === null ? [null, null] : interval,
      ),
    ]);
  const { medianCi95, percentilesCi95 } = places;
  return {
    ...(medianCi95 === undefined ? {} : { medianCi95: shown(point.medianCi95, medianCi95) }),
    ...(percentilesCi95 === undefined
      ? {}
      : {
          percentilesCi95: mapped(point.percentilesCi95, (name, bounds) =>
            shown(bounds, (percentilesCi95 as Point)[name]),
          ),
        }),
    ...Object.fromEntries(ofShares),
  };
}

function protectedShares(point: Point, request: MetricRequest, minimum: number): Point {
  const hidden = hiddenShares(factsOf(point).shares, {
    agents: Number(point.agentCount),
    minimum,
    isOfHouseholds: householdOf(request) !== undefined,
  });
  const isHidden = (field: string, name: string) =>
    hidden.some((one) => one.name === field && String(one.threshold) === name);
  return Object.fromEntries(
    shareFields
      .filter((field) => point[field] !== undefined)
      .map((field) => [
        field,
        mapped(point[field], (name, value) => (isHidden(field, name) ? null : value)),
      ]),
  );
}

export function isFew(agents: number, minimum: number): boolean {
  return agents > 0 && agents < minimum;
}

function nullsOf(names: readonly string[]): Point {
  return Object.fromEntries(names.map((name) => [name, null]));
}

function mapped(numbers: unknown, change: (name: string, value: unknown) => unknown): Point {
  return Object.fromEntries(
    Object.entries((numbers ?? {}) as Point).map(([name, value]) => [name, change(name, value)]),
  );
}
