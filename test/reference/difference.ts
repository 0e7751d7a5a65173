import { groupBy } from './group-by.ts';
import {
  changesOfReplicates,
  type HouseholdSample,
  isUpTo,
  woodruff,
} from './household-intervals.ts';
import { percentile, type PercentileRule } from './percentile.ts';
import { type ValueOfAgent, statisticsOf } from './statistics.ts';
import { studentT, studentTProbability } from './student-t.ts';
import { sum } from './weights.ts';

/** The values of a point on one side of a comparison. Their weights add up to 1. */
type SideValues = readonly ValueOfAgent[];

/** Households by the sides on which they have a value. */
export interface Households<T> {
  readonly both: T;
  readonly onlyHere: T;
  readonly onlyThere: T;
}

export function householdsOf(here: SideValues, there: SideValues): Households<readonly string[]> {
  const [ours, theirs] = [here, there].map((items) => new Set(items.map((one) => one.agentId)));
  return {
    both: [...ours!].filter((agent) => theirs!.has(agent)),
    onlyHere: [...ours!].filter((agent) => !theirs!.has(agent)),
    onlyThere: [...theirs!].filter((agent) => !ours!.has(agent)),
  };
}

/** `difference` of two points that both have values. */
export function differenceOf(here: HouseholdSample, there: HouseholdSample, rule?: PercentileRule) {
  const means = [meanOf(here), meanOf(there)] as const;
  const test = testOf(...means);
  const isSmall = Math.min(...means.map(({ parts }) => parts.size)) < 2;
  const counts = means.map(({ replicates }) => replicates?.length);
  const hasOthers = counts[0] !== undefined && (counts[0] < 2 || counts[0] !== counts[1]);
  const reason = isSmall ? 'fewHouseholds' : hasOthers ? 'noReplicates' : null;
  return {
    metricValue: test.difference,
    percent: means[1].value === 0 ? null : (100 * test.difference) / means[1].value,
    median: medianOf(here.items, rule) - medianOf(there.items, rule),
    ...(reason === null && test.hasVariance
      ? {
          ci90: test.halfWidth(0.9),
          ci95: test.halfWidth(0.95),
          ci99: test.halfWidth(0.99),
          p: studentTProbability(test.difference / test.error, test.degrees),
          df: test.degrees,
          medianCi95: intervalOfMedians(here, there, rule),
          reason,
        }
      : { ...noTest, reason: reason ?? 'noVariance' }),
  };
}

/** The numbers that depend on the standard error. */
export const noTest = {
  ci90: null,
  ci95: null,
  ci99: null,
  p: null,
  df: null,
  medianCi95: [null, null],
};

/** `difference` if a side is suppressed or has no value. */
export function noDifference(reason: 'suppressed' | 'noComparedValue' | 'masked') {
  return { metricValue: null, percent: null, median: null, ...noTest, reason };
}

/** A number of one side, and what each of its households adds to the error of it. */
interface Estimate {
  readonly value: number;
  readonly parts: ReadonlyMap<string, number>;
  /** With replicate weights, the change of the number in each replicate. */
  readonly replicates: readonly number[] | undefined;
}

function meanOf(sample: HouseholdSample): Estimate {
  const value = Number(statisticsOf(sample.items).metricValue);
  return { value, ...errorsOf(sample, (item) => item.value - value) };
}

function errorsOf(sample: HouseholdSample, of: (item: ValueOfAgent) => number) {
  return {
    parts: partsOf(sample.items, of),
    replicates: sample.replicatesOf === undefined ? undefined : changesOfReplicates(sample, of),
  };
}

function partsOf(items: SideValues, of: (item: ValueOfAgent) => number): Estimate['parts'] {
  return new Map(
    [...groupBy(items, ({ agentId }) => agentId)].map(([agentId, own]) => [
      agentId,
      sum(own.map((item) => item.weight * of(item))),
    ]),
  );
}

/**
 * A household on both sides adds the difference of its parts, which may cancel out. The degrees of freedom are those of
 * Welch and Satterthwaite, with the households on both sides and those on one of them as samples.
 */
function testOf(here: Estimate, there: Estimate) {
  const partOf = ({ parts }: Estimate, agent: string) =>
    Math.sqrt(parts.size / (parts.size - 1)) * (parts.get(agent) ?? 0);
  const agents = [...new Set([...here.parts.keys(), ...there.parts.keys()])];
  const groups = groupBy(agents, (one) => `${here.parts.has(one)} ${there.parts.has(one)}`);
  const variances = [...groups.values()].map((own) => ({
    variance: sum(own.map((agent) => (partOf(here, agent) - partOf(there, agent)) ** 2)),
    degrees: Math.max(own.length - 1, 1),
  }));
  if (here.replicates !== undefined) {
    const { length: count } = here.replicates;
    const changes = here.replicates.map((change, i) => change - there.replicates![i]!);
    const squares = sum(changes.map((change) => change ** 2));
    variances.splice(0, variances.length, {
      variance: ((count - 1) / count) * squares,
      degrees: count - 1,
    });
  }
  const total = sum(variances.map(({ variance }) => variance));
  const degrees = total ** 2 / sum(variances.map((one) => one.variance ** 2 / one.degrees));
  const error = Math.sqrt(total);
  return {
    difference: here.value - there.value,
    error,
    degrees,
    // Rounding errors are not variance.
    hasVariance: error > 1e-9 * Math.max(Math.abs(here.value), Math.abs(there.value)),
    halfWidth: (level: number) => studentT(level, degrees) * error,
  };
}

function medianOf(items: SideValues, rule?: PercentileRule): number {
  return percentile(items, 50, rule);
}

function intervalOfMedians(here: HouseholdSample, there: HouseholdSample, rule?: PercentileRule) {
  const [ours, theirs] = [medianEstimate(here, rule), medianEstimate(there, rule)];
  const test = ours !== null && theirs !== null ? testOf(ours, theirs) : null;
  if (test?.hasVariance !== true) return noTest.medianCi95;
  const { difference } = test;
  return [difference - test.halfWidth(0.95), difference + test.halfWidth(0.95)];
}

/** The density at the median follows from the width of its interval; null without an interval. */
function medianEstimate(sample: HouseholdSample, rule?: PercentileRule): Estimate | null {
  const {
    bounds: [low, high],
    margin,
  } = woodruff(sample, 50, rule);
  if (low === null || high === null || high === low) return null;
  const density = (2 * margin) / (high - low);
  const value = medianOf(sample.items, rule);
  const of = (item: ValueOfAgent) => -((isUpTo(value, item) ? 1 : 0) - 1 / 2) / density;
  return { value, ...errorsOf(sample, of) };
}

/** Benjamini and Hochberg: the p of each place among all that are not null; null for fewer than two. */
export function adjusted(all: readonly (number | null)[]): readonly (number | null)[] {
  const known = all.filter((p) => p !== null);
  if (known.length < 2) return all.map(() => null);
  const ascending = known.toSorted((a, b) => a - b);
  const scaled = ascending.map((p, i) => (p * ascending.length) / (i + 1));
  return all.map((p) => (p === null ? null : Math.min(1, ...scaled.slice(ascending.indexOf(p)))));
}
