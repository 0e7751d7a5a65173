import { as, type Column, type Step } from '../../../shared/sql/select.ts';
import type { HouseholdStatistic } from '../../request/report/report.ts';
import { type HouseholdQuery, isWeighted, keepsResults, percentileOf } from './household-query.ts';
import { isFirst, passesAll, resultReasons } from './left-out.ts';
import { afterSwitchers, readsWholeRange } from './report-results.ts';

/** Steps to `per_household`: one row per bucket, series and household, with its results or its statistics. */
export function perHouseholdSteps(query: HouseholdQuery, keys: readonly string[]): readonly Step[] {
  return query.normalised
    ? [sharesStep(query, keys), perHousehold(query, keys, 'shares')]
    : [perHousehold(query, keys, afterSwitchers(query))];
}

/** Blocks have equal weights within a household. */
function sharesStep(query: HouseholdQuery, keys: readonly string[]): Step {
  const own = query.metric.measure.kind === 'value' ? '1' : 'own_weight';
  const counted = countedInWindow(query);
  const ofBlock = `OVER (PARTITION BY ${[...keys, 'block', 'agent_key'].join(', ')})`;
  const share = `${own} / sumIf(${own}, ${counted}) ${ofBlock}`;
  return {
    name: 'shares',
    select: { columns: ['*', as(share, 'share')], from: afterSwitchers(query) },
  };
}

function countedInWindow(query: HouseholdQuery): string {
  const passes = passesAll(resultReasons(query.report));
  if (!readsWholeRange(query)) return passes;
  return passes === '1' ? 'in_window' : `in_window AND ${passes}`;
}

function perHousehold(query: HouseholdQuery, keys: readonly string[], from: string): Step {
  const { report } = query;
  const { relativeTo, weight, household } = report;
  const reasons = resultReasons(report);
  const counted = countedInWindow(query);
  const seen = readsWholeRange(query) ? 'in_window' : '1';
  const value = relativeTo?.of === 'result' ? 'assumeNotNull(100 * value / relative_to)' : 'value';
  const last = (column: string) => `assumeNotNull(argMaxIf(${column}, ended_at, ${counted}))`;
  return {
    name: 'per_household',
    select: {
      columns: [
        ...keys,
        'agent_key',
        ...resultColumns(query, value, counted),
        as(`groupUniqArrayIf(unit_id, ${counted})`, 'household_units'),
        as(`countIf(${seen})`, 'seen'),
        ...(household.minDays > 0
          ? [as(`uniqExactIf(local_day, ${counted})`, 'household_days')]
          : []),
        ...(relativeTo?.of === 'household' ? [as(last('relative_to'), 'relative_to')] : []),
        ...(weight === undefined ? [] : [as(last('household_weight'), 'household_weight')]),
        ...reasons.map(({ column }, i) =>
          as(`countIf(${seen} AND ${isFirst(reasons, i)})`, column),
        ),
      ],
      from,
      groupBy: [...keys, 'agent_key'],
    },
  };
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
  const result = isWeighted(query) ? `(${value}, ${weight})` : value;
  const usesRange = household.trim?.over === 'range' && readsWholeRange(query);
  const ofRange = passesAll(resultReasons(query.report));
  return [
    as(`groupArrayIf(${result}, ${counted})`, 'household_results'),
    ...(usesRange ? [as(`groupArrayIf(${value}, ${ofRange})`, 'range_values')] : []),
  ];
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
    ...(household.minDays > 0 ? ['household_days'] : []),
    ...(relativeTo?.of === 'household' ? ['relative_to'] : []),
    ...(weight === undefined ? [] : ['household_weight']),
    ...resultReasons(query.report).map(({ column }) => column),
  ];
}
