import { householdOf, type MetricRequest } from './metric-request.ts';
import { percentile } from './percentile.ts';
import type { HouseholdValue, Item } from './report-item.ts';
import { rounded } from './rounded.ts';
import { intervalsOfHouseholds, statisticsOf, type ValueOfAgent } from './statistics.ts';
import { distinct, sum } from './weights.ts';

/** What a privacy floor decides by. A symbol: it is not in responses. */
export const floorFacts = Symbol('facts for a privacy floor');

export interface FloorFacts {
  /** Of each agent of the point. */
  readonly factors: readonly (readonly number[])[];
  /** Agents with a value at or above each threshold, and below it. */
  readonly shares: readonly { readonly threshold: number; readonly above: number; below: number }[];
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
  const thresholds = thresholdsOf(request);
  const share = (t: number) =>
    sum(items.filter(({ value }) => rounded(value) >= rounded(t)).map(({ weight }) => weight));
  const numbers = {
    // Without values only the names matter: all are null.
    ...statisticsOf(items.length === 0 ? [{ value: 0, weight: 1 }] : items),
    ...(householdOf(request) === undefined ? {} : intervalsOfHouseholds(items, 'ci')),
    ...(request.householdIntervals === true ? intervalsOfHouseholds(items, 'ciHousehold') : {}),
    ...(request.consistent === undefined
      ? {}
      : { consistent: consistentOf(households, request.consistent.households) }),
    ...(thresholds.length === 0
      ? {}
      : { shares: Object.fromEntries(thresholds.map((t) => [String(t), share(t)])) }),
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
    [floorFacts]: {
      ...facts,
      shares: thresholds.toSorted((a, b) => a - b).map((threshold) => sidesOf(items, threshold)),
    } satisfies FloorFacts,
  };
}

function sidesOf(items: readonly ValueOfAgent[], threshold: number) {
  const isAbove = ({ value }: ValueOfAgent) => rounded(value) >= rounded(threshold);
  const agents = (of: readonly ValueOfAgent[]) => distinct(of.map(({ agentId }) => agentId));
  return {
    threshold,
    above: agents(items.filter(isAbove)),
    below: agents(items.filter((item) => !isAbove(item))),
  };
}

function thresholdsOf({ shares }: MetricRequest): readonly number[] {
  if (shares === undefined) return [];
  return 'thresholds' in shares ? shares.thresholds : shares;
}

function consistentOf(households: readonly HouseholdValue[], percent: number): number {
  if (households.length === 0) return NaN;
  return percentile(
    households.map(({ low, weight }) => ({ value: low, weight })),
    percent,
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
