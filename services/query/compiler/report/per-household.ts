import { as, type Column, type Step } from '../../../shared/sql/select.ts';
import type { HouseholdStatistic } from '../../request/report/report.ts';
import { type HouseholdQuery, isWeighted, keepsResults, percentileOf } from './household-query.ts';
import { keptStaySteps } from './kept-stay-steps.ts';
import { allOf, fieldReasons, isFirst, passesAll, resultReasons } from './left-out.ts';
import { hasValue, isOfBounds, isOfPoint, rowFlags } from './report-results.ts';

/** Steps to `per_household`: one row per bucket, series and household, with its results or its statistics. */
export function perHouseholdSteps(query: HouseholdQuery, keys: readonly string[]): readonly Step[] {
  const from = query.normalised ? 'shares' : 'results';
  const shares = query.normalised ? [sharesStep(query, keys)] : [];
  if (query.report.switchers === 'asOf') {
    const groupBy = [...keys, 'agent_key'];
    const columns = [...groupBy, ...householdColumns(query)];
    return [...shares, { name: 'per_household', select: { columns, from, groupBy } }];
  }
  return [...shares, ...keptStaySteps(query, keys, from, householdColumns(query))];
}

/** Blocks have equal weights within a household. */
function sharesStep(query: HouseholdQuery, keys: readonly string[]): Step {
  const own = query.metric.measure.kind === 'value' ? '1' : 'own_weight';
  const group = [...keys, 'block', 'agent_key'];
  const partition = query.report.switchers === 'asOf' ? group : [...group, 'stay'];
  const ofBlock = `OVER (PARTITION BY ${partition.join(', ')})`;
  const share = `${own} / sumIf(${own}, ${countedInPoint(query)})\n    ${ofBlock}`;
  return { name: 'shares', select: { columns: ['*', as(share, 'share')], from: 'results' } };
}

function countedInPoint(query: HouseholdQuery): string {
  return allOf(isOfPoint(query), passesAll(fieldReasons(query.report)));
}

/** Aggregates over the results of a household, or of one stay of it. */
function householdColumns(query: HouseholdQuery): readonly Column[] {
  const { report } = query;
  const { relativeTo, weight, household } = report;
  const reasons = fieldReasons(report);
  const counted = countedInPoint(query);
  const seen = isOfPoint(query);
  const value = relativeTo?.of === 'result' ? 'assumeNotNull(100 * value / relative_to)' : 'value';
  const last = (column: string) => `assumeNotNull(argMaxIf(${column}, ended_at,\n    ${counted}))`;
  return [
    ...resultColumns(query, value, counted),
    as(`groupUniqArrayIf(unit_id, ${counted})`, 'household_units'),
    as(`countIf(${seen})`, 'seen'),
    as(`countIf(${allOf(`NOT ${hasValue}`, ...rowFlags(query))})`, 'without_value'),
    ...(household.minDays > 0 ? [as(`uniqExactIf(local_day, ${counted})`, 'household_days')] : []),
    ...(relativeTo?.of === 'household' ? [as(last('relative_to'), 'relative_to')] : []),
    ...(weight === undefined ? [] : [as(last('household_weight'), 'household_weight')]),
    ...reasons.map(({ column }, i) => as(`countIf(${allOf(seen, isFirst(reasons, i))})`, column)),
  ];
}

function resultColumns(query: HouseholdQuery, value: string, counted: string): readonly Column[] {
  const { household, consistent } = query.report;
  const weight = query.normalised ? 'share' : 'own_weight';
  if (!keepsResults(query)) {
    const mean = isWeighted(query)
      ? `sumIf(${value} * ${weight}, ${counted}) / sumIf(${weight}, ${counted})`
      : `avgIf(${value}, ${counted})`;
    const statistic = (wanted: HouseholdStatistic) =>
      wanted.kind === 'mean' ? mean : `${aggregateOf(wanted)}(${value}, ${counted})`;
    return [
      as(`countIf(${counted})`, 'result_count'),
      as(statistic(household.statistic), 'own_value'),
      ...(consistent === undefined
        ? []
        : [as(statistic(percentileOf(consistent.results)), 'own_low_value')]),
    ];
  }
  const bounded = allOf(isOfBounds(query), passesAll(fieldReasons(query.report)));
  const result = isWeighted(query) ? `(${value}, ${weight})` : value;
  return [
    as(`groupArrayIf(${result}, ${counted})`, 'household_results'),
    ...(hasOwnBounds(query) ? [as(`groupArrayIf(${value}, ${bounded})`, 'bounded_values')] : []),
  ];
}

/** Whether the bounds of the trim are of other results than those of the points: they are in `bounded_values`. */
export function hasOwnBounds(query: HouseholdQuery): boolean {
  return query.report.household.trim !== undefined && isOfBounds(query) !== isOfPoint(query);
}

function aggregateOf(statistic: Exclude<HouseholdStatistic, { readonly kind: 'mean' }>): string {
  return statistic.kind === 'percentile'
    ? `quantileExactInclusiveIf(${statistic.percent / 100})`
    : `${statistic.kind}If`;
}

/** The names of the columns of `per_household` after the keys and the results, in their order. */
export function perHouseholdNames(query: HouseholdQuery): readonly string[] {
  const { relativeTo, weight, household } = query.report;
  return [
    'household_units',
    'seen',
    'without_value',
    ...(household.minDays > 0 ? ['household_days'] : []),
    ...(relativeTo?.of === 'household' ? ['relative_to'] : []),
    ...(weight === undefined ? [] : ['household_weight']),
    ...resultReasons(query.report).map(({ column }) => column),
  ];
}
