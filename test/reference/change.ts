import { groupBy } from './group-by.ts';
import type { ComparedFacts } from './report-point.ts';
import type { ValueOfAgent } from './statistics.ts';
import { sum } from './weights.ts';

export const noChange = {
  joined: null,
  left: null,
  samePlan: null,
  changedPlan: null,
  reweighted: null,
};

/**
 * The parts of the difference between the means of two times. They add up to it. `fewest`: a smaller number of
 * households with the same or another plan hides both parts; with factors, any plan that only some changed.
 */
export function changeOf(
  here: ComparedFacts,
  there: ComparedFacts,
  fewest: number,
  hasFactors = false,
) {
  const [ours, theirs] = [byAgent(here.items), byAgent(there.items)];
  const stayers = [...ours.keys()].filter((agent) => theirs.has(agent));
  if (stayers.length === 0) return noChange;
  const [nowOf, beforeOf] = [ours, theirs].map((values) => weightedStayers(values, stayers));
  const [meanNow, meanBefore] = [nowOf!, beforeOf!].map((own) => meanOf([...own.values()]));
  const centre = (meanNow! + meanBefore!) / 2;
  const parts = stayers.map((agent) => {
    const [now, before] = [nowOf!.get(agent)!, beforeOf!.get(agent)!];
    const [weight, value] = [(now.weight + before.weight) / 2, (now.value + before.value) / 2];
    return {
      isSamePlan: here.planOf.get(agent) === there.planOf.get(agent),
      change: weight * (now.value - before.value),
      reweighted: (now.weight - before.weight) * (value - centre),
    };
  });
  const same = parts.filter(({ isSamePlan }) => isSamePlan);
  const changed = parts.filter(({ isSamePlan }) => !isSamePlan);
  const isMixed = same.length > 0 && changed.length > 0;
  const isSmall = [same, changed].some((own) => own.length > 0 && own.length < fewest);
  const isHidden = isSmall || (hasFactors && fewest > 0 && isMixed);
  const total = (own: typeof parts) => (isHidden ? null : sum(own.map(({ change }) => change)));
  return {
    joined: meanOf(here.items) - meanNow!,
    left: meanBefore! - meanOf(there.items),
    samePlan: total(same),
    changedPlan: total(changed),
    reweighted: sum(parts.map((part) => part.reweighted)),
  };
}

interface Household {
  readonly value: number;
  readonly weight: number;
}

/** The weighted mean of each household, and its part of the weights. */
function byAgent(items: readonly ValueOfAgent[]): ReadonlyMap<string, Household> {
  return new Map(
    [...groupBy(items, ({ agentId }) => agentId)].map(([agentId, own]) => {
      const weight = sum(own.map((one) => one.weight));
      return [agentId, { value: meanOf(own), weight }];
    }),
  );
}

/** Their weights add up to 1. */
function weightedStayers(
  households: ReadonlyMap<string, Household>,
  stayers: readonly string[],
): ReadonlyMap<string, Household> {
  const own = stayers.map((agent) => [agent, households.get(agent)!] as const);
  const total = sum(own.map(([, { weight }]) => weight));
  return new Map(
    own.map(([agent, { value, weight }]) => [agent, { value, weight: weight / total }]),
  );
}

function meanOf(items: readonly Household[]): number {
  const total = sum(items.map(({ weight }) => weight));
  return sum(items.map(({ value, weight }) => value * weight)) / total;
}
