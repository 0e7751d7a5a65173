import { groupBy } from './group-by.ts';
import { percentile, type PercentileRule } from './percentile.ts';
import { shareFields, type ShareFields, isCounted, thresholdsOf } from './shares.ts';
import type { ValueOfAgent } from './statistics.ts';
import { studentT } from './student-t.ts';
import { sum } from './weights.ts';

/** The fields of a request that ask for intervals. */
export interface IntervalFields extends ShareFields {
  readonly householdIntervals?: boolean;
  readonly intervalsOf?: readonly number[];
  readonly percentileRule?: PercentileRule;
  readonly strata?: string;
}

/** The values of a point, whose weights add up to 1, and the stratum of each agent. */
export interface HouseholdSample {
  readonly items: readonly ValueOfAgent[];
  readonly stratumOf?: ReadonlyMap<string, unknown>;
  /** With replicate weights: those of each agent, divided by its weight. */
  readonly replicatesOf?: ReadonlyMap<string, readonly number[]>;
}

export type Interval = readonly [low: number | null, high: number | null];

/** Half-widths of intervals with households as the sample, such as `ciHousehold95`; null for fewer than two. */
export function intervalsOfHouseholds(
  sample: HouseholdSample,
  name: 'ci' | 'ciHousehold',
): Readonly<Record<string, number | null>> {
  const { degrees, error } = standardError(sample, ({ value }) => value);
  return Object.fromEntries(
    [90, 95, 99].map((percent) => [
      `${name}${percent}`,
      degrees < 1 ? null : studentT(percent / 100, degrees) * error,
    ]),
  );
}

/** The intervals of a point, with the places of the bounds of percentiles, from 0 to 1. */
export function intervalsOf(
  sample: HouseholdSample,
  request: IntervalFields,
  isOfHouseholds: boolean,
) {
  const { householdIntervals, intervalsOf: percents, percentileRule } = request;
  const ofMedian = woodruff(sample, 50, percentileRule);
  const ofPercents = (percents ?? []).map((percent) => ({
    name: String(percent),
    ...woodruff(sample, percent, percentileRule),
  }));
  const named = (key: 'bounds' | 'places') => ({
    ...(householdIntervals === true ? { medianCi95: ofMedian[key] } : {}),
    ...(percents === undefined
      ? {}
      : { percentilesCi95: Object.fromEntries(ofPercents.map((one) => [one.name, one[key]])) }),
  });
  return {
    numbers: {
      ...named('bounds'),
      ...(isOfHouseholds || householdIntervals ? intervalsOfShares(sample, request) : {}),
    },
    places: named('places'),
  };
}

/** The percentiles at the ends of the interval of the share of values up to a percentile. */
export function woodruff(
  sample: HouseholdSample,
  percent: number,
  rule?: PercentileRule,
): { readonly bounds: Interval; readonly places: Interval; readonly margin: number } {
  const none = { bounds: [null, null], places: [null, null], margin: 0 } as const;
  const { items } = sample;
  if (items.length === 0) return none;
  const quantile = percentile(items, percent, rule);
  const { degrees, error } = standardError(sample, (item) => (isUpTo(quantile, item) ? 1 : 0));
  if (degrees < 1 || error <= 1e-9) return none;
  const margin = studentT(0.95, degrees) * error;
  const places = [percent / 100 - margin, percent / 100 + margin] as const;
  const bound = (place: number) =>
    place < 0 || place > 1 ? null : percentile(items, 100 * place, rule);
  return { bounds: [bound(places[0]), bound(places[1])], places, margin };
}

/** Rounding errors must not separate a percentile from the values that it equals. */
export function isUpTo(quantile: number, { value }: ValueOfAgent): boolean {
  return value <= quantile + 1e-9 * Math.abs(quantile);
}

function intervalsOfShares(sample: HouseholdSample, request: ShareFields) {
  return Object.fromEntries(
    shareFields
      .filter((name) => request[name] !== undefined)
      .map((name) => [
        `${name}Ci95`,
        Object.fromEntries(
          thresholdsOf(request[name]).map((threshold) => [
            String(threshold),
            wilson(sample, ({ value }) => (isCounted[name](value, threshold) ? 1 : 0)),
          ]),
        ),
      ]),
  );
}

/** Wilson's interval, by the number of independent households that would have the same error. */
function wilson(sample: HouseholdSample, of: (item: ValueOfAgent) => 0 | 1): Interval {
  const { items } = sample;
  const { degrees, error } = standardError(sample, of);
  if (degrees < 1) return [null, null];
  const share = sum(items.map((item) => item.weight * of(item)));
  const weights = agentsOf(items).map((own) => sum(own.map(({ weight }) => weight)));
  const size =
    error > 1e-9
      ? (share * (1 - share)) / error ** 2
      : sum(weights) ** 2 / sum(weights.map((weight) => weight ** 2));
  const t = studentT(0.95, degrees);
  const middle = share + t ** 2 / (2 * size);
  const spread = t * Math.sqrt(Math.max(0, share * (1 - share)) / size + t ** 2 / (4 * size ** 2));
  const whole = 1 + t ** 2 / size;
  return [Math.max(0, (middle - spread) / whole), Math.min(1, (middle + spread) / whole)];
}

/** Of the weighted mean of a number, with households as the sample, in strata or in one. */
function standardError(
  sample: HouseholdSample,
  of: (item: ValueOfAgent) => number,
): { readonly degrees: number; readonly error: number } {
  const { items, stratumOf } = sample;
  if (sample.replicatesOf !== undefined) {
    const changes = changesOfReplicates(sample, of);
    const count = changes.length;
    const squares = sum(changes.map((change) => change ** 2));
    return { degrees: count - 1, error: Math.sqrt(((count - 1) / count) * squares) };
  }
  const mean = sum(items.map((item) => item.weight * of(item)));
  const agents = agentsOf(items);
  const parts = agents.map((own) => ({
    stratum: stratumOf?.get(own[0]!.agentId),
    z: sum(own.map((item) => item.weight * (of(item) - mean))),
  }));
  const strata = [...groupBy(parts, ({ stratum }) => String(stratum)).values()];
  const squares = strata.map((own) => squaresWithin(own.map(({ z }) => z)));
  return { degrees: agents.length - strata.length, error: Math.sqrt(sum(squares)) };
}

/** The weighted mean of a number in each replicate, less that of all households; none if a replicate has none. */
export function changesOfReplicates(
  { items, replicatesOf = new Map<string, readonly number[]>() }: HouseholdSample,
  of: (item: ValueOfAgent) => number,
): readonly number[] {
  const mean = sum(items.map((item) => item.weight * of(item)));
  const factors = items.map(({ agentId }) => replicatesOf.get(agentId) ?? []);
  const count = Math.min(...factors.map((own) => own.length));
  const changes = Array.from({ length: Number.isFinite(count) ? count : 0 }, (_, replicate) => {
    const weights = items.map(({ weight }, i) => weight * factors[i]![replicate]!);
    return sum(items.map((item, i) => weights[i]! * of(item))) / sum(weights) - mean;
  });
  return changes.every(Number.isFinite) ? changes : [];
}

/** A household alone in its stratum is not centred. */
function squaresWithin(parts: readonly number[]): number {
  if (parts.length === 1) return parts[0]! ** 2;
  const mean = sum(parts) / parts.length;
  return (parts.length / (parts.length - 1)) * sum(parts.map((z) => (z - mean) ** 2));
}

/** The strata with one household. */
export function singleStrata({ items, stratumOf }: HouseholdSample): number {
  const agents = agentsOf(items);
  const strata = groupBy(agents, (own) => String(stratumOf?.get(own[0]!.agentId)));
  return [...strata.values()].filter((own) => own.length === 1).length;
}

function agentsOf(items: readonly ValueOfAgent[]) {
  return [...groupBy(items, ({ agentId }) => agentId).values()];
}
