import type { CoverageOf } from './coverage.ts';
import { isExcluded } from './exclusions.ts';
import { fieldValue } from './field-value.ts';
import { groupBy } from './group-by.ts';
import { isMasked, type MaskedValues } from './masked.ts';
import type { MetricDefinition } from './metric-definition.ts';
import { householdOf, type MetricRequest } from './metric-request.ts';
import type { Row } from './panel.ts';
import { percentile } from './percentile.ts';
import type { HouseholdValue, Item } from './report-item.ts';
import { nulls, reportPoint } from './report-point.ts';
import { dayOf, type Result, sampleOf } from './result.ts';
import { rounded } from './rounded.ts';
import type { WeightedValue } from './statistics.ts';
import { keptResults, stayOf } from './switchers.ts';
import { distinct, normalisedWeights, plainWeights, sum } from './weights.ts';
import { isInWindow } from './window.ts';

/** The fields that do not make a request a report. */
const otherFields = [
  ...['metric', 'chartType', 'aggregation', 'normalised', 'prefilter', 'agent_agg'],
  ...['splits', 'filters', 'time', 'times', 'knownAt', 'window'],
];

export function isReport(request: MetricRequest): boolean {
  return Object.entries(request).some(
    ([name, value]: [string, unknown]) =>
      !otherFields.includes(name) &&
      value !== undefined &&
      value !== false &&
      value !== 'asOf' &&
      value !== 'linear',
  );
}

export interface Report {
  /**
   * The numbers of a point, from the rows of its bucket and series that are in the window, also those without a value.
   * `agents`: if given, the values of others do not count.
   */
  readonly statisticsOf: (
    rows: readonly Result[],
    agents?: ReadonlySet<string>,
  ) => Readonly<Record<string | symbol, unknown>>;
}

/** The request, and whether the points count excluded results. */
interface ReportRequest extends MetricRequest {
  readonly countsExcluded: boolean;
}

/** `all`: the results of the whole range, in and outside of the window. */
export function reportOf(
  all: readonly Result[],
  metric: MetricDefinition,
  request: ReportRequest,
  coverageOf?: CoverageOf,
): Report {
  const kept = keptResults(all, request.switchers ?? 'asOf');
  const items = new Map(all.map((result) => [result, itemOf(result, kept, metric, request)]));
  const bounds = boundsByAgent([...items.values()], request);
  const household = householdOf(request);
  return {
    statisticsOf: (rows, agents) => {
      const results = rows.filter((row) => items.has(row));
      const members = results.map((result) => items.get(result)!);
      const count = (of: readonly Result[]) => distinct(of.map(({ row }) => row.agent.agentId));
      const without = { householdsWithoutValue: count(rows) - count(results) };
      const isKept: IsKept = ({ agentId }) => agents?.has(agentId) ?? true;
      const numbers =
        household === undefined
          ? pooled(members, isKept, without, metric, request)
          : overHouseholds(members, isKept, without, metric, bounds, household, request);
      if (coverageOf === undefined) return numbers;
      const coverage = coverageOf(results, rows[0]!);
      return { ...numbers, coverage: numbers.suppressed === true ? nulls(coverage) : coverage };
    },
  };
}

function itemOf(
  result: Result,
  kept: ReadonlySet<Result>,
  metric: MetricDefinition,
  request: MetricRequest,
): Item {
  const sample = sampleOf(result, metric);
  const { field, of } = relativeToOf(request);
  const relativeTo = field === undefined ? null : numberOf(result, field);
  const weight = request.weight === undefined ? null : numberOf(result, request.weight);
  const leftOut = !kept.has(result)
    ? 'resultsOfSwitchers'
    : isExcluded(result.row, metric)
      ? 'resultsExcluded'
      : field !== undefined && relativeTo === null
        ? 'resultsWithoutField'
        : request.weight !== undefined && weight === null
          ? 'resultsWithoutWeight'
          : null;
  const value = of === 'result' ? (100 * sample.value) / relativeTo! : sample.value;
  return {
    result,
    agentId: sample.agentId,
    value,
    sample: { ...sample, value },
    relativeTo,
    weight,
    leftOut,
  };
}

function relativeToOf(request: MetricRequest): { field?: string; of?: 'result' | 'household' } {
  const { relativeTo } = request;
  if (relativeTo === undefined) return {};
  const usual = householdOf(request) === undefined ? 'result' : 'household';
  if (typeof relativeTo === 'string') return { field: relativeTo, of: usual };
  return { field: relativeTo.field, of: relativeTo.of ?? usual };
}

function numberOf({ row }: Result, field: string): number | null {
  const number = Number(fieldValue(row, field) ?? NaN);
  return Number.isFinite(number) && number > 0 ? number : null;
}

type Bounds = ReadonlyMap<string, readonly [number, number]>;

function boundsByAgent(items: readonly Item[], request: MetricRequest): Bounds {
  const { trimOver = 'window' } = request.household ?? {};
  const [low, high] = trimOf(request) ?? [null, null];
  const used = items
    .filter(({ leftOut }) => leftOut === null)
    .filter(({ result }) => trimOver === 'range' || isInWindow(request.window, result.localMs));
  return new Map(
    [...groupBy(used, ({ agentId }) => agentId)].map(([agentId, own]) => {
      const values = own.map(({ value }) => value);
      return [agentId, [boundOf(values, low ?? 0), boundOf(values, high ?? 100)]];
    }),
  );
}

/**
 * A percentile of equal weights. If it is one of the values, it must equal it exactly: that value is kept. The
 * sums of `percentile` would differ from it in the last digit.
 */
function boundOf(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (percent / 100) * (sorted.length - 1) + 1;
  const below = Math.floor(place);
  const [low, high] = [sorted[below - 1]!, sorted[below] ?? sorted[below - 1]!];
  return low + (place - below) * (high - low);
}

function trimOf({ household }: MetricRequest) {
  return household?.trim ?? (household?.statistic === 'trimmedMean' ? [1, 99] : undefined);
}

type IsKept = (one: { readonly agentId: string }) => boolean;

function pooled(
  members: readonly Item[],
  isKept: IsKept,
  without: LeftOut,
  metric: MetricDefinition,
  request: ReportRequest,
) {
  const counted = members.filter(({ leftOut }) => leftOut === null).filter(isKept);
  const samples = counted.map(({ sample }) => sample);
  const weights = (request.normalised ? normalisedWeights : plainWeights)(samples);
  const items = counted.map(({ value, agentId }, i) => ({ value, weight: weights[i]!, agentId }));
  const byAgent = [...groupBy(counted, ({ agentId }) => agentId).values()];
  const facts = {
    factors: byAgent.map((own) =>
      request.relativeTo === undefined
        ? []
        : [sum(own.map(({ sample, relativeTo }) => sample.size / relativeTo!))],
    ),
    weights: [],
    leftOut: { ...agentsLeftOut(members), ...without },
    stratumOf: strataOf(counted, request),
    planOf: asOfLast(counted, stayOf),
    replicatesOf: undefined,
    masked: maskedOf(counted, metric),
  };
  const leftOut = { ...leftOutOf(members, request), ...without };
  return reportPoint(items, counted, leftOut, request, facts);
}

/** The stratum of each agent, as of its last result. */
function strataOf(items: readonly Item[], { strata }: ReportRequest): ReadonlyMap<string, unknown> {
  if (strata === undefined) return new Map();
  return asOfLast(items, (row) => fieldValue(row, strata));
}

/** What each agent had when its last result ended. */
function asOfLast<T>(items: readonly Item[], of: (row: Row) => T): ReadonlyMap<string, T> {
  const inOrder = items.toSorted((a, b) => a.result.row.dtimeUtcMs - b.result.row.dtimeUtcMs);
  return new Map(inOrder.map(({ agentId, result }) => [agentId, of(result.row)]));
}

function replicatesAt({ agent, dtimeUtcMs }: Row): readonly number[] {
  const own = agent.replicates?.findLast(({ fromUtcS }) => fromUtcS * 1000 <= dtimeUtcMs);
  return own?.factors ?? [];
}

/** Agents with results that were left out, by reason. */
function agentsLeftOut(members: readonly Item[]): LeftOut {
  return Object.fromEntries(
    [...groupBy(members, ({ leftOut }) => String(leftOut))].map(([reason, items]) => [
      reason,
      distinct(items.map(({ agentId }) => agentId)),
    ]),
  );
}

type LeftOut = Readonly<Record<string, number>>;

function leftOutOf(members: readonly Item[], request: ReportRequest): LeftOut {
  const count = (reason: Item['leftOut']) =>
    members.filter(({ leftOut }) => leftOut === reason).length;
  return {
    ...((request.switchers ?? 'asOf') === 'asOf'
      ? {}
      : { resultsOfSwitchers: count('resultsOfSwitchers') }),
    ...(request.countsExcluded ? { resultsExcluded: count('resultsExcluded') } : {}),
    ...(request.relativeTo === undefined
      ? {}
      : { resultsWithoutField: count('resultsWithoutField') }),
    ...(request.weight === undefined
      ? {}
      : { resultsWithoutWeight: count('resultsWithoutWeight') }),
  };
}

/** Undefined if the metric has no masked values. */
function maskedOf(items: readonly Item[], { masked }: MetricDefinition): MaskedValues | undefined {
  if (masked === undefined) return undefined;
  const found = items.filter(({ result }) => isMasked(result.row.columns, masked));
  return { count: found.length, agents: new Set(found.map(({ agentId }) => agentId)) };
}

function ofAgents(masked: MaskedValues | undefined): MaskedValues | undefined {
  return masked && { ...masked, count: masked.agents.size };
}

function overHouseholds(
  members: readonly Item[],
  isKept: IsKept,
  without: LeftOut,
  metric: MetricDefinition,
  bounds: Bounds,
  household: NonNullable<MetricRequest['household']>,
  request: ReportRequest,
) {
  const { minResults = 0, minDays = 0 } = household;
  const present = [...groupBy(members, ({ agentId }) => agentId).values()]
    .map((own) => own.filter(({ leftOut }) => leftOut === null))
    .filter((results) => results.length > 0);
  const large = present
    .filter((results) => results.length >= minResults)
    .filter((results) => distinct(results.map(({ result }) => dayOf(result))) >= minDays);
  const households = large.map((results) => householdValue(results, bounds, household, request));
  const counted = households.filter(({ kept }) => kept.length > 0).filter(isKept);
  const total = sum(counted.map(({ weight }) => weight));
  const items = counted.map((one) => ({ ...one, weight: one.weight / total }));
  const leftOut = {
    ...leftOutOf(members, request),
    ...(trimOf(request) === undefined
      ? {}
      : { resultsTrimmed: sum(households.map(({ trimmed }) => trimmed)) }),
    ...(minResults + minDays === 0
      ? {}
      : { householdsBelowMinimum: present.length - large.length }),
    ...without,
  };
  const entered = counted.flatMap(({ kept }) => kept);
  // Before the trim.
  const behind = large.filter((_, i) => counted.includes(households[i]!)).flat();
  const facts = {
    factors: items.map(({ factors }) => factors),
    weights: request.weight === undefined ? [] : items.map(({ weight }) => weight),
    leftOut: {
      ...leftOut,
      ...agentsLeftOut(members),
      resultsTrimmed: households.filter(({ trimmed }) => trimmed > 0).length,
    },
    stratumOf: strataOf(behind, request),
    planOf: asOfLast(behind, stayOf),
    replicatesOf: request.weightReplicates === true ? asOfLast(behind, replicatesAt) : undefined,
    masked: ofAgents(maskedOf(behind, metric)),
  };
  return reportPoint(items, entered, leftOut, request, facts, items);
}

/** `kept` is empty if the trim leaves nothing: then it has no value. */
function householdValue(
  results: readonly Item[],
  bounds: Bounds,
  { statistic }: NonNullable<MetricRequest['household']>,
  request: MetricRequest,
): HouseholdValue {
  const first = results[0]!;
  const [low, high] = trimOf(request) ?? [null, null];
  const [lowest, highest] = bounds.get(first.agentId)!;
  // Weights are those before trimming.
  const weightsOf = request.normalised ? normalisedWeights : plainWeights;
  const weights = weightsOf(results.map(({ sample }) => sample));
  const all = results.map((item, i) => ({ item, value: item.value, weight: weights[i]! }));
  const kept = all
    .filter(({ value }) => low === null || value >= lowest)
    .filter(({ value }) => high === null || value <= highest);
  const total = sum(kept.map(({ weight }) => weight));
  const items = kept.map(({ value, weight }) => ({ value, weight: weight / total }));
  const last = results.toSorted((a, b) => b.result.row.dtimeUtcMs - a.result.row.dtimeUtcMs)[0]!;
  const { of } = relativeToOf(request);
  const relative = (value: number) =>
    of === 'household' ? (100 * value) / last.relativeTo! : value;
  const valueOf = (name: string) =>
    items.length === 0 ? NaN : rounded(relative(statisticOf(items, name)));
  return {
    agentId: first.agentId,
    value: valueOf(statistic),
    low: valueOf(`p${request.consistent?.results ?? 50}`),
    weight: request.weight === undefined ? 1 : last.weight!,
    kept: kept.map(({ item }) => item),
    trimmed: all.length - kept.length,
    factors: factorsOf(results, last, request),
  };
}

function factorsOf(results: readonly Item[], last: Item, request: MetricRequest) {
  const { of } = relativeToOf(request);
  const reciprocals = (of === 'household' ? [last] : results).map((item) => 1 / item.relativeTo!);
  const mean = sum(reciprocals) / reciprocals.length;
  const ofField =
    of === undefined ? [] : [mean, Math.min(...reciprocals), Math.max(...reciprocals)];
  if (request.weight === undefined) return ofField;
  return [last.weight!, ...ofField, ...ofField.map((factor) => factor * last.weight!)];
}

function statisticOf(items: readonly WeightedValue[], statistic: string): number {
  const values = items.map(({ value }) => value);
  switch (statistic) {
    case 'mean':
    case 'trimmedMean':
      return sum(items.map(({ value, weight }) => value * weight));
    case 'min':
      return Math.min(...values);
    case 'max':
      return Math.max(...values);
    case 'median':
      return percentile(items, 50);
    default:
      return percentile(items, Number(statistic.slice(1)));
  }
}
