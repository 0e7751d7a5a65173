import type { MetricRequest } from '../reference/metric-request.ts';
import { householdOf } from '../reference/metric-request.ts';
import type { Point } from '../reference/result.ts';
import { rounded } from '../reference/rounded.ts';
import { studentT } from '../reference/student-t.ts';
import { sum } from '../reference/weights.ts';

/** A household of a point: what the caller knows of it, and the value that the floor protects. */
export interface Member {
  readonly agent: string;
  /** Whether its ISP changes at some time. */
  readonly changes: boolean;
  /** Its part of the weights of the point. */
  readonly part: number;
  /** The bounds of its value, from the bounds of speeds and the field that the value is divided by. */
  readonly low: number;
  readonly high: number;
  /** If it is masked, the highest that is possible. */
  readonly value: number;
  readonly isMasked: boolean;
  /** The percentile of its results that `consistent` is a percentile of, NaN without that field. */
  readonly consistent: number;
  /** Its results that were left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/**
 * What a caller who knows the metadata of all households, who is in a point and with how many results can conclude
 * about one of them from the numbers of this point. Each line is a value that is tied to a household.
 */
export function floorAttack(
  point: Point,
  members: readonly Member[],
  request: MetricRequest,
  floor: number,
): readonly string[] {
  const counted = members.filter(({ value }) => !Number.isNaN(value));
  return [
    ...byMean(point, counted, request),
    ...bySquares(point, counted, request),
    ...byShares(point, counted, request, floor),
    ...byExtremes(point, counted, request, floor),
    ...byCounts(point, members, floor),
    ...byMasks(point, counted, request, floor),
  ];
}

/** A value is known if what is left of its bounds is less than this part of them. */
const precision = 0.02;

/**
 * m = Σ p y, and all other values are within their bounds. If all households are near the highest or the lowest possible
 * value, the mean says so of each, however many they are (docs/data-protection.md): what counts is a household with most
 * of the mean. Its value is known up to what the others can add, also without its own bounds.
 */
function byMean({ metricValue }: Point, members: readonly Member[], request: MetricRequest) {
  // With masked values there is no mean.
  if (metricValue === null) return [];
  if (request.normalised && householdOf(request) === undefined) return [];
  const unknowns = members.map((member) => ({ ...member, coefficient: member.part }));
  return byEquation('the mean', unknowns, Number(metricValue));
}

/** A value of a household between its bounds. */
export interface Unknown {
  readonly agent: string;
  readonly low: number;
  readonly high: number;
  readonly value: number;
  readonly coefficient: number;
}

/** Σ c x = total. */
export function byEquation(
  name: string,
  unknowns: readonly Unknown[],
  total: number,
): readonly string[] {
  const ends = unknowns.map(({ low, high, coefficient }) =>
    [coefficient * low, coefficient * high].sort((a, b) => a - b),
  );
  const [lows, highs] = [0, 1].map((end) => sum(ends.map((range) => range[end]!))) as [
    number,
    number,
  ];
  return unknowns.flatMap(({ agent, low, high, value, coefficient }, i) => {
    // What rounding leaves of a household that is not in the equation.
    if (Math.abs(coefficient) < 1e-9) return [];
    const [own, most] = [ends[i]![0]!, ends[i]![1]!];
    const range = [total - (highs - most), total - (lows - own)]
      .map((bound) => bound / coefficient)
      .sort((a, b) => a - b);
    const [first, last] = [range[0]!, range[1]!];
    const known = Math.min(high, last) - Math.max(low, first);
    if ((last - first) / (high - low) >= 0.5 || known / (high - low) >= precision) return [];
    return [`${name}: ${agent} is from ${first} to ${last}: ${value}`];
  });
}

/** Σ c (x − centre)² = total. */
export function bySquareSum(
  name: string,
  unknowns: readonly (Unknown & { readonly centre: number })[],
  total: number,
): readonly string[] {
  const equation = { coefficients: unknowns.map(({ coefficient }) => coefficient), total };
  const limits = unknowns.map(({ low, high, centre }) =>
    Math.max((low - centre) ** 2, (high - centre) ** 2),
  );
  return unknowns.flatMap((unknown, i) =>
    byDistance(name, unknown, limits[i]!, [withinLimits(equation, limits, i)]),
  );
}

/** What the square of the distance of a household from a centre says of it. */
function byDistance(
  name: string,
  { agent, low, high, value, centre }: Omit<Unknown, 'coefficient'> & { readonly centre: number },
  limit: number,
  ranges: readonly (readonly [number, number])[],
): readonly string[] {
  const least = Math.sqrt(Math.max(0, ...ranges.map((range) => range[0])));
  const most = Math.sqrt(Math.min(limit, ...ranges.map((range) => range[1])));
  const distance = Math.abs(value - centre);
  // Equal values have no deviation. A distance that is not in the range comes from rounding errors.
  const isKnown = least > 0 && (most - least) / (high - low) < precision;
  const isRight = distance >= least * 0.999 && distance <= most * 1.001;
  return isKnown && isRight
    ? [`${name}: ${agent} is ${centre} ± ${least} to ${most}: ${value}`]
    : [];
}

/** Σ c (y − m)² for the deviation and for the interval, whose coefficients c the caller knows. */
function bySquares(point: Point, members: readonly Member[], request: MetricRequest) {
  const isOfHouseholds = householdOf(request) !== undefined;
  // With strata the squares are of distances from the means of strata, which the caller does not know.
  if (request.strata !== undefined || (!isOfHouseholds && request.normalised)) return [];
  const mean = Number(point.metricValue);
  const agents = members.length;
  const interval = point[isOfHouseholds ? 'ci95' : 'ciHousehold95'];
  const error = typeof interval === 'number' ? interval / studentT(0.95, agents - 1) : undefined;
  const parts = members.map(({ part }) => part);
  const squares: readonly Equation[] = [
    ...(isOfHouseholds && typeof point.stdDev === 'number'
      ? [{ coefficients: parts, total: point.stdDev ** 2 }]
      : []),
    ...(error === undefined
      ? []
      : [{ coefficients: parts.map((p) => p * p), total: (error ** 2 * (agents - 1)) / agents }]),
  ];
  const limits = members.map(({ low, high }) => Math.max((low - mean) ** 2, (high - mean) ** 2));
  return members.flatMap((member, i) =>
    byDistance('the deviations', { ...member, centre: mean }, limits[i]!, [
      ...squares.map((equation) => withinLimits(equation, limits, i)),
      ...(squares.length === 2 ? [ofTwo(squares[0]!, squares[1]!, i)] : []),
    ]),
  );
}

interface Equation {
  readonly coefficients: readonly number[];
  readonly total: number;
}

/** The range of one unknown if all others are from 0 to their limits. */
function withinLimits(
  { coefficients, total }: Equation,
  limits: readonly number[],
  at: number,
): readonly [number, number] {
  const others = sum(limits.map((limit, i) => (i === at ? 0 : limit * coefficients[i]!)));
  return [(total - others) / coefficients[at]!, total / coefficients[at]!];
}

/** The range of one unknown by two equations in unknowns of at least 0: extremes have at most two that are not 0. */
function ofTwo(first: Equation, second: Equation, at: number): readonly [number, number] {
  const found: number[] = [];
  const size = first.coefficients.length;
  for (let j = 0; j < size; j++) {
    for (let k = j + 1; k < size; k++) {
      const [a, b] = [first.coefficients[j]!, first.coefficients[k]!];
      const [c, d] = [second.coefficients[j]!, second.coefficients[k]!];
      const determinant = a * d - b * c;
      if (Math.abs(determinant) < 1e-9 * Math.max(Math.abs(a * d), Math.abs(b * c))) continue;
      const x = (first.total * d - b * second.total) / determinant;
      const y = (a * second.total - first.total * c) / determinant;
      const slack = -1e-9 * Math.max(Math.abs(x), Math.abs(y));
      if (x >= slack && y >= slack) found.push(j === at ? x : k === at ? y : 0);
    }
  }
  return found.length === 0 ? [0, Infinity] : [Math.min(...found), Math.max(...found)];
}

/** The difference of two shares is the weight of the households between the thresholds. */
function byShares(
  { shares, sharesAtMost }: Point,
  members: readonly Member[],
  request: MetricRequest,
  floor: number,
) {
  if (householdOf(request) === undefined) return [];
  const atMost = knownShares(sharesAtMost).map(({ threshold, share }) => ({
    // Values have nine decimals: those above the threshold are at least this.
    from: threshold + 1e-9,
    share: 1 - share,
  }));
  const atLeast = knownShares(shares).map(({ threshold, share }) => ({ from: threshold, share }));
  const shown = [...atLeast, ...atMost].sort((a, b) => a.from - b.from);
  const all = [{ from: -Infinity, share: 1 }, ...shown, { from: Infinity, share: 0 }];
  return all.slice(1).flatMap(({ from: before, share }, i) => {
    const { from, share: reached } = all[i]!;
    const between = members.filter(
      ({ value }) => rounded(value) >= rounded(from) && rounded(value) < rounded(before),
    );
    const isEnd = shown.length > 0 && (from === -Infinity || before === Infinity);
    if (isEnd && between.length < floor) {
      return [`shares leave ${between.length} households from ${from} to ${before}`];
    }
    const difference = reached - share;
    const isIt = (part: number) => Math.abs(part - difference) < 1e-9;
    const [alone, ...others] = members.filter(({ part }) => isIt(part));
    const hasPair = members.some((a, j) => members.slice(j + 1).some((b) => isIt(a.part + b.part)));
    if (alone === undefined || others.length > 0 || hasPair || !between.includes(alone)) return [];
    return [`the shares give ${alone.agent} from ${from} to ${before}: ${alone.value}`];
  });
}

function knownShares(shares: unknown) {
  return Object.entries((shares ?? {}) as Readonly<Record<string, number | null>>).flatMap(
    ([threshold, share]) => (share === null ? [] : [{ threshold: Number(threshold), share }]),
  );
}

/**
 * A number that is the value of one of the lowest or highest households: fewer than the floor are beyond it. Of results,
 * a percentile has no rank among households.
 */
function byExtremes(
  point: Point,
  members: readonly Member[],
  request: MetricRequest,
  floor: number,
) {
  if (householdOf(request) === undefined) return [];
  const { percentiles, metricValue, median, min, max, consistent } = point;
  const { medianCi95, percentilesCi95 } = point;
  const intervals = { medianCi95, ...(percentilesCi95 as Point | undefined) };
  const bounds = Object.entries(intervals).flatMap(([name, interval]) =>
    ((interval ?? []) as readonly unknown[]).map((bound, i) => [`interval ${name} ${i}`, bound]),
  );
  const numbers = {
    ...(percentiles as Point),
    ...{ metricValue, median, min, max },
    ...(Object.fromEntries(bounds) as Point),
  };
  const extremesOf = (name: 'value' | 'consistent') =>
    extremes(
      members.map((member) => ({ agent: member.agent, value: member[name] })),
      floor,
    );
  return [
    ...valuesIn(numbers, extremesOf('value')),
    // Another number of each household: it does not have the rank of its value.
    ...valuesIn({ consistent }, extremesOf('consistent')),
  ];
}

interface Extreme {
  readonly agent: string;
  readonly value: number;
}

/** The lowest and the highest, fewer than the floor at each end, that have a value which no other household has. */
function extremes(all: readonly Extreme[], floor: number): readonly Extreme[] {
  const sorted = all.toSorted((a, b) => a.value - b.value);
  const isAlone = ({ value }: Extreme) => all.filter((other) => other.value === value).length === 1;
  return [...sorted.slice(0, floor - 1), ...sorted.slice(1 - floor)].filter(isAlone);
}

function valuesIn(numbers: Point, of: readonly Extreme[]): readonly string[] {
  return Object.entries(numbers).flatMap(([name, number]) =>
    of
      .filter(({ value }) => Math.abs(Number(number ?? NaN) - value) <= 1e-9 * Math.abs(value))
      .map(({ agent, value }) => `${name} is the value of ${agent}: ${value}`),
  );
}

/** The number of results of a few households, as it is or as what is left of the received ones. */
function byCounts(point: Point, members: readonly Member[], floor: number) {
  const counts = Object.entries((point.leftOut ?? {}) as Readonly<Record<string, number | null>>);
  const isOfFew = (reason: string) => {
    const agents = members.filter(({ leftOut }) => (leftOut[reason] ?? 0) > 0).length;
    return agents > 0 && agents < floor;
  };
  const shown = counts.filter(([reason, count]) => count !== null && isOfFew(reason));
  const hidden = counts.filter(
    ([reason, count]) => count === null && reason !== 'householdsWithoutValue',
  );
  const { received = null } = (point.coverage ?? {}) as { readonly received?: number | null };
  const isLeft = received !== null && hidden.length === 1 && isOfFew(hidden[0]![0]);
  return [
    ...shown.map(([reason, count]) => `${reason} are ${count} of a few households`),
    ...(isLeft ? [`received gives ${hidden[0]![0]}`] : []),
  ];
}

/**
 * A few households with a mask, or without one. A caller who knows which are masked also sees what a share leaves of the
 * others above its threshold.
 */
function byMasks(
  { maskedCount, shares, sharesAtMost }: Point,
  members: readonly Member[],
  request: MetricRequest,
  floor: number,
) {
  const isFew = (of: readonly Member[]) => of.length > 0 && of.length < floor;
  const others = members.filter(({ isMasked }) => !isMasked);
  const masked = members.filter(({ isMasked }) => isMasked);
  if (masked.length === 0) return [];
  const counts =
    typeof maskedCount === 'number' && (isFew(masked) || isFew(others))
      ? [`maskedCount is ${maskedCount}, of ${masked.length} and not ${others.length} households`]
      : [];
  if (householdOf(request) === undefined) return counts;
  const above = [
    ...knownShares(shares).map(({ threshold }) => ({
      threshold,
      of: others.filter(({ value }) => rounded(value) >= rounded(threshold)),
    })),
    ...knownShares(sharesAtMost).map(({ threshold }) => ({
      threshold,
      of: others.filter(({ value }) => rounded(value) > rounded(threshold)),
    })),
  ];
  return [
    ...counts,
    ...above
      .filter(({ of }) => isFew(of))
      .map(({ threshold, of }) => `shares leave ${of.length} without a mask above ${threshold}`),
  ];
}
