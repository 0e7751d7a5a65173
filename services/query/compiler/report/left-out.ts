import type { AggregateMetricQuery } from '../../request/metric-query.ts';
import type { Report } from '../../request/report/report.ts';

/** Why results and households are not in the statistics of a point, which counts them by reason. */
export interface LeftOut {
  /** Column of the steps. */
  readonly column: string;
  /** Name in the response. */
  readonly name: string;
}

/** A reason that concerns single results. The first one that applies counts. */
export interface ResultReason extends LeftOut {
  /** SQL over the columns of the results. */
  readonly condition: string;
}

export function resultReasons(report: Report): readonly ResultReason[] {
  return [
    ...(report.switchers === 'asOf'
      ? []
      : [reason('results_of_switchers', 'resultsOfSwitchers', 'NOT is_kept')]),
    ...fieldReasons(report),
  ];
}

/** The reasons that a result has by itself, without the other results of its household. */
export function fieldReasons({ exclusions, relativeTo, weight }: Report): readonly ResultReason[] {
  return [
    ...(exclusions === undefined
      ? []
      : [reason('results_excluded', 'resultsExcluded', 'NOT is_included')]),
    ...(relativeTo === undefined
      ? []
      : [reason('results_without_field', 'resultsWithoutField', 'relative_to IS NULL')]),
    ...(weight === undefined
      ? []
      : [reason('results_without_weight', 'resultsWithoutWeight', 'household_weight IS NULL')]),
  ];
}

/** Everything that a point of the query counts as left out. */
export function leftOutOf({ report }: AggregateMetricQuery): readonly LeftOut[] {
  if (report === undefined) return [];
  const { household } = report;
  return [
    ...resultReasons(report),
    ...(household?.trim === undefined
      ? []
      : [{ column: 'results_trimmed', name: 'resultsTrimmed' }]),
    ...(household === undefined || household.minResults + household.minDays === 0
      ? []
      : [{ column: 'households_below_minimum', name: 'householdsBelowMinimum' }]),
    { column: 'households_without_value', name: 'householdsWithoutValue' },
  ];
}

/** SQL of whether all conditions hold. */
export function allOf(...conditions: readonly string[]): string {
  return conditions.filter((condition) => condition !== '1').join(' AND ') || '1';
}

/** SQL of whether the results pass all reasons. */
export function passesAll(reasons: readonly ResultReason[]): string {
  return reasons.length === 0 ? '1' : reasons.map(({ condition }) => not(condition)).join(' AND ');
}

/** SQL of whether a result is left out for this reason, and for none before it. */
export function isFirst(reasons: readonly ResultReason[], at: number): string {
  const before = reasons.slice(0, at).map(({ condition }) => not(condition));
  return [...before, reasons[at]?.condition ?? '0'].join(' AND ');
}

function not(condition: string): string {
  if (condition.startsWith('NOT ')) return condition.slice('NOT '.length);
  return condition.replace(/ IS NULL$/, ' IS NOT NULL');
}

function reason(column: string, name: string, condition: string): ResultReason {
  return { column, name, condition };
}
