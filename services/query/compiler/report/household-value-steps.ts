import { as, type Column, type Step } from '../../../shared/sql/select.ts';
import type { Household, HouseholdStatistic } from '../../request/report/report.ts';
import { midpointColumns, percentileAt, sortedPoints } from '../weighted-percentiles.ts';
import {
  hasHouseholdWeights,
  type HouseholdQuery,
  isWeighted,
  keepsResults,
  percentileOf,
} from './household-query.ts';
import { resultReasons } from './left-out.ts';
import { perHouseholdNames, perHouseholdSteps } from './per-household.ts';
import { boundsSteps, keptResults } from './trim-steps.ts';

/** From the results to `households`: each has a value, a weight, and `is_counted`. */
export function householdValueSteps(
  query: HouseholdQuery,
  keys: readonly string[],
): readonly Step[] {
  const before = [
    ...perHouseholdSteps(query, keys),
    ...(keepsResults(query) ? ownStatisticsSteps(query, keys) : []),
  ];
  return [...before, householdsStep(query, keys, before.at(-1)?.name ?? 'per_household')];
}

/** From the arrays of results to `own_value` and `own_low_value`. */
function ownStatisticsSteps(query: HouseholdQuery, keys: readonly string[]): readonly Step[] {
  const { household, consistent } = query.report;
  const isTrimmed = household.trim !== undefined;
  const carried = [...keys, ...perHouseholdNames(query)];
  const needsMidpoints =
    isWeighted(query) && (household.statistic.kind === 'percentile' || consistent !== undefined);
  const midpoints = needsMidpoints
    ? midpointSteps([...carried, 'result_count', 'kept_results'])
    : [];
  return [
    ...(isTrimmed ? boundsSteps(query, keys) : []),
    {
      name: 'trimmed',
      select: {
        columns: [
          ...carried,
          as('length(household_results)', 'result_count'),
          as(keptResults(query), 'kept_results'),
        ],
        from: isTrimmed ? 'bounded' : 'per_household',
      },
    },
    ...midpoints,
    {
      name: 'own_statistics',
      select: {
        columns: [
          ...carried,
          'result_count',
          as('length(kept_results)', 'kept_count'),
          as(householdStatistic(query, household.statistic), 'own_value'),
          ...(consistent === undefined
            ? []
            : [as(householdStatistic(query, percentileOf(consistent.results)), 'own_low_value')]),
        ],
        from: midpoints.at(-1)?.name ?? 'trimmed',
      },
    },
  ];
}

function midpointSteps(carried: readonly string[]): readonly Step[] {
  return [
    {
      name: 'own_points',
      select: {
        columns: [...carried, as(sortedPoints('kept_results', 'by pair'), 'own_points')],
        from: 'trimmed',
      },
    },
    {
      name: 'own_midpoints',
      select: { columns: [...carried, ...midpointColumns('by pair', 'own_')], from: 'own_points' },
    },
  ];
}

/** A statistic of `kept_results`. */
function householdStatistic(query: HouseholdQuery, statistic: HouseholdStatistic): string {
  const weighted = isWeighted(query);
  const values = weighted ? 'kept_results.1' : 'kept_results';
  switch (statistic.kind) {
    case 'mean':
      return weighted
        ? 'arraySum(result -> result.1 * result.2, kept_results) / arraySum(kept_results.2)'
        : 'arrayAvg(kept_results)';
    case 'min':
      return `arrayMin(${values})`;
    case 'max':
      return `arrayMax(${values})`;
    case 'percentile':
      return weighted
        ? percentileAt(statistic.percent / 100, 'own_')
        : `arrayReduce('quantileExactInclusive(${statistic.percent / 100})', kept_results)`;
  }
}

function householdsStep(query: HouseholdQuery, keys: readonly string[], from: string): Step {
  const { household, relativeTo, weight, consistent } = query.report;
  const kept = keepsResults(query) ? 'kept_count' : 'result_count';
  const reachesMinimum = minimums(household).join(' AND ');
  const isCounted = [`${kept} > 0`, ...minimums(household)].join(' AND ');
  const trimmed = 'toUInt64(result_count - kept_count)';
  // Rounding errors would separate equal households: ties are sorted by weight, and thresholds are compared.
  const scaled = (value: string) =>
    `round(${relativeTo?.of === 'household' ? `100 * ${value} / relative_to` : value}, 9)`;
  const column = (value: string, name: string) =>
    hasHouseholdWeights(query)
      ? as(scaled(value), name)
      : as(`if(is_counted, ${scaled(value)}, NULL)`, name);
  const columns: readonly Column[] = [
    ...keys,
    as('seen + without_value', 'row_count'),
    as('seen = 0 AND without_value > 0', 'households_without_value'),
    'household_units',
    ...(weight === undefined ? [] : [as('household_weight', 'weight')]),
    as(isCounted, 'is_counted'),
    as(kept, 'kept_count'),
    ...resultReasons(query.report).map((reason) => reason.column),
    ...(household.trim === undefined
      ? []
      : [as(reachesMinimum ? `if(${reachesMinimum}, ${trimmed}, 0)` : trimmed, 'results_trimmed')]),
    // A household without any result is counted by the reasons that left out its results.
    ...(reachesMinimum
      ? [as(`result_count > 0 AND NOT (${reachesMinimum})`, 'households_below_minimum')]
      : []),
    column('own_value', 'value'),
    ...(consistent === undefined ? [] : [column('own_low_value', 'low_value')]),
  ];
  return { name: 'households', select: { columns, from } };
}

function minimums({ minResults, minDays }: Household): readonly string[] {
  return [
    ...(minResults > 0 ? [`result_count >= ${minResults}`] : []),
    ...(minDays > 0 ? [`household_days >= ${minDays}`] : []),
  ];
}
