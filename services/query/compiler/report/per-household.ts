import { as, type Step } from '../../../shared/sql/select.ts';
import { type HouseholdQuery, isWeighted } from './household-query.ts';
import { isFirst, passesAll, resultReasons } from './left-out.ts';
import { afterSwitchers, readsWholeRange } from './report-results.ts';

/**
 * Steps to `per_household`: one row per bucket, series and household. A household keeps its results as an array,
 * because its percentiles need all of them.
 */
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
  const result = isWeighted(query)
    ? `(${value}, ${query.normalised ? 'share' : 'own_weight'})`
    : value;
  return {
    name: 'per_household',
    select: {
      columns: [
        ...keys,
        'agent_key',
        as(`groupArrayIf(${result}, ${counted})`, 'household_results'),
        ...(household.trim?.over === 'range' && readsWholeRange(query)
          ? [as(`groupArrayIf(${value}, ${passesAll(reasons)})`, 'range_values')]
          : []),
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

/** The names of the columns of `per_household`, in their order. */
export function perHouseholdNames(query: HouseholdQuery): readonly string[] {
  const { relativeTo, weight, household } = query.report;
  return [
    'household_results',
    'household_units',
    'seen',
    ...(household.minDays > 0 ? ['household_days'] : []),
    ...(relativeTo?.of === 'household' ? ['relative_to'] : []),
    ...(weight === undefined ? [] : ['household_weight']),
    ...resultReasons(query.report).map(({ column }) => column),
  ];
}
