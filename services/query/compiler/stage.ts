import type { Field } from '../../catalog/field.ts';
import type { LeftOutReason } from '../../catalog/statistics.ts';
import type { Expression } from '../../shared/sql/expression.ts';
import { type Column, nameOf, type Step } from '../../shared/sql/select.ts';
import type { AggregateMetricQuery, MetricQuery } from '../request/metric-query.ts';
import type { Household, HouseholdStatistic } from '../request/fields/household.ts';
import type { Report } from '../request/fields/report-fields.ts';
import type { PointAggregate } from './aggregates.ts';
import type { PointColumn } from './compiled-query.ts';
import { type MetadataForm, metadataForm } from './field-value.ts';
import type { NumberLists } from './number-columns.ts';
import type { SplitColumn } from './split-column.ts';

/**
 * One of the steps of docs/statistics.md. A request passes the stages in the order of `stages.ts`; stages that it does
 * not use add nothing. A stage can add conditions and columns of the results, aggregates of a household and of a point,
 * steps, and columns of the answer.
 */
export interface Stage {
  /** As docs/statistics.md calls it. */
  readonly name: string;
  /** What the stage adds to the query of this request; undefined if it does not apply. `before`: of the stages before it. */
  readonly of: (asked: Asked, before: readonly StageUse[]) => StageUse | undefined;
}

/** A request, with what several stages ask of it. Raw data has neither reports nor households nor a floor. */
export interface Asked<Q extends MetricQuery = MetricQuery> {
  readonly query: Q;
  readonly form: MetadataForm;
  readonly report?: Report | undefined;
  /** How the results of a household become one value. */
  readonly household?: Household | undefined;
  readonly floor?: number | undefined;
  /** Whether results have different weights. */
  readonly isWeighted: boolean;
  /** Whether households have different weights. */
  readonly hasHouseholdWeights: boolean;
  /** Whether households bring factors that a privacy floor counts agents by. */
  readonly hasFactors: boolean;
}

export function askedOf<Q extends MetricQuery>(query: Q): Asked<Q> {
  const { report: sent, floor }: Partial<AggregateMetricQuery> =
    query.chartType === 'raw' ? {} : query;
  // Only a comparison is allowed for published cells. It is of their numbers, without households.
  const report = query.metric.stored === undefined ? sent : undefined;
  const isOfAgents = query.chartType === 'aggregate' && query.agentAgg;
  const household = report?.household ?? (isOfAgents ? meanOfAgent : undefined);
  return {
    query,
    form: metadataForm(query),
    report,
    household,
    floor,
    isWeighted: query.normalised || query.metric.measure.kind === 'ratio',
    hasHouseholdWeights: household !== undefined && report?.weight !== undefined,
    hasFactors: floor !== undefined && (report?.weight ?? report?.relativeTo) !== undefined,
  };
}

/** `agent_agg`, without a minimum. */
const meanOfAgent: Household = { statistic: { kind: 'mean' }, minResults: 0, minDays: 0 };

export interface StageUse {
  /** What the answer depends on besides the results of each bucket. Stored answers follow from it. */
  readonly dependsOn?: readonly Dependency[];
  /** Results that later stages must not leave out of `results`: they flag the results of the points instead. */
  readonly needs?: readonly OtherResults[];
  readonly results?: ResultsPart;
  /** What a point counts as left out, by reason. The first reason that applies counts. */
  readonly leavesOut?: readonly LeftOut[];
  readonly household?: HouseholdPart;
  readonly statistics?: StatisticsPart;
  /** Steps after the one named `from`. The last one has what the next stage reads. */
  readonly steps?: (plan: Plan, from: string) => readonly Step[];
  readonly points?: PointsPart;
}

export type Dependency =
  /** The values of a bucket depend on results of other buckets. */
  | 'other buckets'
  /** The values of a series depend on other series of the bucket. */
  | 'other series'
  /** The answer also depends on the time of the request. */
  | 'the clock'
  /** Results or metadata before or after the range. */
  | 'data beyond the range';

/** Results that stays and the bounds of a trim need in addition to those of the points. */
type OtherResults = 'outside the window' | 'with other metadata';

/** A part of the first step, `results`. */
export interface ResultsPart {
  /** A sentence for `explain`. */
  readonly why?: string;
  readonly columns?: readonly Column[];
  readonly where?: readonly Expression[];
  /** 1 for results of the points. Other results are read because an earlier stage needs them. */
  readonly flags?: readonly Column[];
  /** Fields that the columns and conditions read. */
  readonly fields?: readonly Field[];
  /** Further attributes of the metadata that they read. */
  readonly attributes?: readonly string[];
}

/** Why results or households are not in the statistics of a point. */
export interface LeftOut {
  /** Column of the steps. */
  readonly column: string;
  /** Name in the response. */
  readonly name: LeftOutReason;
  readonly counts: 'results' | 'households';
  /** SQL over the columns of a result. Absent if that depends on the other results of its household. */
  readonly when?: ResultConditions;
}

/** Neither is NULL, and one is the negation of the other. */
interface ResultConditions {
  readonly kept: string;
  readonly leftOut: string;
}

/** SQL of the step from results to `households`. */
export interface HouseholdPart {
  /** SQL of the value of a result that counts. */
  readonly valueOfResult?: string;
  /** Another value of each household besides `value`. */
  readonly furtherValue?: HouseholdValue;
  /** SQL of the value of a household, over the statistic of its results. */
  readonly valueOfHousehold?: (statistic: string) => string;
  /** Aggregates over the results of a household. `counted`: SQL of whether a result counts. */
  readonly aggregates?: (plan: Plan, counted: string) => readonly Column[];
  /** Columns of `households`, over these aggregates. */
  readonly columns?: (plan: Plan) => readonly Column[];
}

/** A statistic of the results of a household, in the column `<prefix>value`. */
export interface HouseholdValue {
  readonly prefix: string;
  readonly statistic: HouseholdStatistic;
}

/** SQL of the step `statistics`, whose rows are points. */
export interface StatisticsPart {
  /** Steps over the results or households, before those of the points. */
  readonly before?: (plan: Plan) => readonly Step[];
  /** Columns of `counted`, the results of a report without households. `isCounted`: SQL of whether one counts. */
  readonly ofResult?: (isCounted: string) => readonly Column[];
  /** Aggregates over these results, or over households. */
  readonly aggregates?: readonly PointAggregate[];
  /** Columns of `households` that the statistics have as an array, in the order of the values `xs`. */
  readonly ofHousehold?: readonly string[];
  /** Statistics of values of equal weight, over the column `value`. */
  readonly unweighted?: readonly Column[];
  /** Statistics of weighted values, over the arrays `xs` and `ws`. */
  readonly weighted?: readonly Column[];
}

type PointsPart = OtherPoints & (PointNumbers | { readonly [K in keyof PointNumbers]?: never });

interface PointNumbers {
  /** Columns of the answer. */
  readonly numbers: (lists: NumberLists) => readonly PointColumn[];
  /** SQL that takes the place of columns in points above the privacy floor that would show one household. */
  readonly aboveFloor: (floor: number) => Readonly<Record<string, string>>;
}

interface OtherPoints {
  /** Columns after all numbers that say something about the point itself. */
  readonly marks?: readonly PointColumn[];
  /** The only columns besides the splits. */
  readonly only?: readonly PointColumn[];
  /** Decides whether a number is shown. */
  readonly show?: (column: PointColumn) => PointColumn;
}

/** A side of a comparison, with what the stages add to its results. */
export interface RequestOfSide {
  readonly asked: Asked;
  readonly uses: readonly StageUse[];
}

/** Without `there` the other side has the same results. */
export interface RequestsOfSides {
  readonly here: RequestOfSide;
  readonly there?: RequestOfSide;
}

/** A request for points with what its stages add to it. */
export interface Plan extends Asked<AggregateMetricQuery> {
  readonly uses: readonly StageUse[];
  /** Absent: nothing is compared. */
  readonly sides?: RequestsOfSides;
  readonly splits: readonly SplitColumn[];
  readonly bucketKey: readonly string[];
  /** `side` in a comparison. */
  readonly sideKey: readonly string[];
  /** `assumed` for a metric with masked values: the points are computed with the lowest and with the highest. */
  readonly assumedKey: readonly string[];
  /** Of all results of a household: with its side, unless both sides have the same results. */
  readonly householdKey: readonly string[];
  /** The columns that identify a point: the side, those of the splits, and the bucket. */
  readonly keys: readonly string[];
}

export function leftOutBy(uses: readonly StageUse[]): readonly LeftOut[] {
  return uses.flatMap(({ leavesOut = [] }) => leavesOut);
}

/** The reasons that do not depend on other results of the household. */
export function reasonsOfResults(uses: readonly StageUse[]): readonly ReasonOfResult[] {
  return leftOutBy(uses).filter((reason): reason is ReasonOfResult => reason.when !== undefined);
}

export type ReasonOfResult = LeftOut & { readonly when: ResultConditions };

/** SQL of the value of a result that counts. */
export function valueOfResult(uses: readonly StageUse[]): string {
  return uses.flatMap(({ household }) => household?.valueOfResult ?? [])[0] ?? 'value';
}

export function furtherValues(uses: readonly StageUse[]): readonly HouseholdValue[] {
  return uses.flatMap(({ household }) => household?.furtherValue ?? []);
}

/** The columns of households that their point has as arrays. */
export function arraysOfHouseholds(uses: readonly StageUse[]): readonly string[] {
  return uses.flatMap(({ statistics }) => statistics?.ofHousehold ?? []);
}

/** The name of such an array: `stratum_of` has the `stratum` of each household. */
export function arrayOf(column: string): string {
  return `${column}_of`;
}

/** The names of the flags of results. */
export function flagsOf(uses: readonly StageUse[]): readonly string[] {
  return uses.flatMap(({ results }) => results?.flags ?? []).map(nameOf);
}
