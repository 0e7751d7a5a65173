import { intervalsOf, intervalsOfHouseholds, singleStrata } from './household-intervals.ts';
import { maskedFact, type MaskedValues } from './masked.ts';
import { householdOf, type MetricRequest } from './metric-request.ts';
import { percentile, type PercentileRule } from './percentile.ts';
import type { HouseholdValue, Item } from './report-item.ts';
import { type Sides, sharesOf, sidesOf } from './shares.ts';
import { statisticsOf, type ValueOfAgent } from './statistics.ts';
import { distinct, sum } from './weights.ts';

/** What a privacy floor decides by. A symbol: it is not in responses. */
export const floorFacts = Symbol('facts for a privacy floor');

export interface FloorFacts {
  /** Of each agent of the point. */
  readonly factors: readonly (readonly number[])[];
  readonly shares: readonly Sides[];
  /** With `weight`, that of each agent of the point. They add up to 1. */
  readonly weights: readonly number[];
  /** The stratum of each agent of the point. */
  readonly stratumOf: ReadonlyMap<string, unknown>;
  /** Whether standard errors are those of replicates. */
  readonly hasReplicates: boolean;
  /** The places of the bounds of percentiles, by the name of the field. */
  readonly places: Readonly<Record<string, unknown>>;
  /** Agents behind each number of `leftOut`. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** What a comparison is computed from. A symbol: it is not in responses. */
export const comparedFacts = Symbol('facts for a comparison');

export interface ComparedFacts {
  /** The values that the mean is of. Their weights add up to 1. */
  readonly items: readonly ValueOfAgent[];
  /** ISP and package of each agent of the point. */
  readonly planOf: ReadonlyMap<string, string>;
  /** The replicate weights of each agent, divided by its weight, if they are asked for. */
  readonly replicatesOf: ReadonlyMap<string, readonly number[]> | undefined;
}

interface PointFacts
  extends Omit<FloorFacts, 'shares' | 'places' | 'hasReplicates'>, Omit<ComparedFacts, 'items'> {
  /** Undefined if the metric has no masked values. */
  readonly masked: MaskedValues | undefined;
}

/** `items` have weights that add up to 1; `entered` are the results behind them. */
export function reportPoint(
  items: readonly ValueOfAgent[],
  entered: readonly Item[],
  leftOut: Readonly<Record<string, number>>,
  request: MetricRequest,
  { stratumOf, planOf, replicatesOf, masked, ...facts }: PointFacts,
  households: readonly HouseholdValue[] = [],
): Readonly<Record<string | symbol, unknown>> {
  const agentCount = distinct(items.map(({ agentId }) => agentId));
  const units = entered.map(({ sample }) => sample.unitId).filter((unit) => unit !== null);
  const sample = {
    items,
    ...(request.strata === undefined ? {} : { stratumOf }),
    ...(replicatesOf === undefined ? {} : { replicatesOf }),
  };
  const intervals = intervalsOf(sample, request, householdOf(request) !== undefined);
  const numbers = {
    // Without values only the names matter: all are null.
    ...statisticsOf(items.length === 0 ? [{ value: 0, weight: 1 }] : items, request.percentileRule),
    ...(householdOf(request) === undefined ? {} : intervalsOfHouseholds(sample, 'ci')),
    ...(request.householdIntervals === true ? intervalsOfHouseholds(sample, 'ciHousehold') : {}),
    ...(request.weight === undefined ? {} : effectOfWeights(items)),
    ...(request.strata === undefined ? {} : { singleStrata: singleStrata(sample) }),
    ...(request.consistent === undefined
      ? {}
      : {
          consistent: consistentOf(
            households,
            request.consistent.households,
            request.percentileRule,
          ),
        }),
    ...sharesOf(items, request),
    ...(masked === undefined ? {} : { maskedCount: masked.count }),
    ...intervals.numbers,
  };
  const counts = {
    sampleCount: entered.length,
    agentCount,
    unitCount: distinct(units),
    ...(Object.keys(leftOut).length === 0 ? {} : { leftOut }),
  };
  const { minAgents = 0 } = request;
  const suppressed = minAgents === 0 ? {} : { suppressed: agentCount < minAgents };
  return {
    ...(agentCount < Math.max(1, minAgents) ? nulls(numbers) : numbers),
    ...(agentCount < minAgents ? nulls(counts) : counts),
    ...suppressed,
    ...(masked === undefined ? {} : { [maskedFact]: masked }),
    [floorFacts]: {
      ...facts,
      stratumOf,
      hasReplicates: replicatesOf !== undefined,
      shares: sidesOf(items, request, masked?.agents),
      places: intervals.places,
    } satisfies FloorFacts,
    [comparedFacts]: { items, planOf, replicatesOf } satisfies ComparedFacts,
  };
}

function effectOfWeights(items: readonly ValueOfAgent[]) {
  const squares = sum(items.map(({ weight }) => weight ** 2));
  return { effectiveHouseholds: 1 / squares, designEffect: items.length * squares };
}

function consistentOf(
  households: readonly HouseholdValue[],
  percent: number,
  rule?: PercentileRule,
): number {
  if (households.length === 0) return NaN;
  return percentile(
    households.map(({ low, weight }) => ({ value: low, weight })),
    percent,
    rule,
  );
}

/** The same names without numbers, also in objects and lists. */
export function nulls(numbers: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(numbers as Record<string, unknown>).map(([name, value]) => [
      name,
      withoutNumber(value),
    ]),
  );
}

function withoutNumber(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNumber);
  return typeof value === 'object' && value !== null ? nulls(value) : null;
}
