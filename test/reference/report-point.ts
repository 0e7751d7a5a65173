import { householdOf, type MetricRequest } from './metric-request.ts';
import { percentile, type PercentileRule } from './percentile.ts';
import type { HouseholdValue, Item } from './report-item.ts';
import { type Sides, sharesOf, sidesOf } from './shares.ts';
import { intervalsOfHouseholds, statisticsOf, type ValueOfAgent } from './statistics.ts';
import { distinct, sum } from './weights.ts';

/** What a privacy floor decides by. A symbol: it is not in responses. */
export const floorFacts = Symbol('facts for a privacy floor');

export interface FloorFacts {
  /** Of each agent of the point. */
  readonly factors: readonly (readonly number[])[];
  readonly shares: readonly Sides[];
  /** Agents behind each number of `leftOut`. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** `items` have weights that add up to 1; `entered` are the results behind them. */
export function reportPoint(
  items: readonly ValueOfAgent[],
  entered: readonly Item[],
  leftOut: Readonly<Record<string, number>>,
  request: MetricRequest,
  facts: Omit<FloorFacts, 'shares'>,
  households: readonly HouseholdValue[] = [],
): Readonly<Record<string | symbol, unknown>> {
  const agentCount = distinct(items.map(({ agentId }) => agentId));
  const units = entered.map(({ sample }) => sample.unitId).filter((unit) => unit !== null);
  const numbers = {
    // Without values only the names matter: all are null.
    ...statisticsOf(items.length === 0 ? [{ value: 0, weight: 1 }] : items, request.percentileRule),
    ...(householdOf(request) === undefined ? {} : intervalsOfHouseholds(items, 'ci')),
    ...(request.householdIntervals === true ? intervalsOfHouseholds(items, 'ciHousehold') : {}),
    ...(request.weight === undefined ? {} : effectOfWeights(items)),
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
    [floorFacts]: { ...facts, shares: sidesOf(items, request) } satisfies FloorFacts,
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

/** The same names without numbers, also in objects. */
export function nulls(numbers: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(numbers as Record<string, unknown>).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? nulls(value) : null,
    ]),
  );
}
