import { as, type Column, type Step } from '../../../shared/sql/select.ts';
import type { HouseholdStatistic } from '../../request/report/report.ts';
import { midpointColumns, percentileAt, positionColumns } from '../weighted-percentiles.ts';
import { type HouseholdQuery, isWeighted } from './household-query.ts';
import { leftOutOf, resultReasons } from './left-out.ts';
import { perHouseholdNames, perHouseholdSteps } from './per-household.ts';
import { boundsSteps, keptResults } from './trim-steps.ts';

/** From the results to `households`: each has a value, a weight, and `is_counted`. */
export function householdValueSteps(
  query: HouseholdQuery,
  keys: readonly string[],
): readonly Step[] {
  const isTrimmed = query.report.household.trim !== undefined;
  return [
    ...perHouseholdSteps(query, keys),
    ...(isTrimmed ? boundsSteps(query, keys) : []),
    ...valueSteps(query, keys, isTrimmed ? 'bounded' : 'per_household'),
  ];
}

function valueSteps(query: HouseholdQuery, keys: readonly string[], from: string): readonly Step[] {
  const { household, relativeTo, consistent } = query.report;
  const needsPositions =
    isWeighted(query) && (isPercentile(household.statistic) || consistent !== undefined);
  const scale = (value: string) =>
    relativeTo?.of === 'household' ? `100 * ${value} / relative_to` : value;
  const carried = [...keys, ...perHouseholdNames(query).slice(1), 'result_count', 'kept_results'];
  const kept: Step = {
    name: 'trimmed',
    select: {
      columns: [
        ...keys,
        ...perHouseholdNames(query).slice(1),
        as('length(household_results)', 'result_count'),
        as(keptResults(query), 'kept_results'),
      ],
      from,
    },
  };
  const positions: readonly Step[] = needsPositions
    ? [
        {
          name: 'own_points',
          select: {
            columns: [...carried, as('arraySort(point -> point.1, kept_results)', 'own_points')],
            from: 'trimmed',
          },
        },
        {
          name: 'own_midpoints',
          select: { columns: [...carried, ...midpointColumns('own_')], from: 'own_points' },
        },
        {
          name: 'own_positions',
          select: { columns: [...carried, ...positionColumns('own_')], from: 'own_midpoints' },
        },
      ]
    : [];
  return [
    kept,
    ...positions,
    {
      name: 'households',
      select: {
        columns: [
          ...keys,
          ...countColumns(query),
          as(scale(householdStatistic(query, household.statistic)), 'value'),
          ...(consistent === undefined
            ? []
            : [as(scale(householdStatistic(query, percentile(consistent.results))), 'low_value')]),
        ],
        from: positions.at(-1)?.name ?? 'trimmed',
      },
    },
  ];
}

function countColumns(query: HouseholdQuery): readonly Column[] {
  const { household, weight } = query.report;
  const enough = [
    'length(kept_results) > 0',
    ...(household.minResults > 0 ? [`result_count >= ${household.minResults}`] : []),
    ...(household.minDays > 0 ? [`household_days >= ${household.minDays}`] : []),
  ];
  return [
    'seen',
    'household_units',
    as(weight === undefined ? '1.' : 'household_weight', 'weight'),
    as(enough.join(' AND '), 'is_counted'),
    as('length(kept_results)', 'kept_count'),
    ...resultReasons(query.report).map(({ column }) => column),
    ...(household.trim === undefined
      ? []
      : [as('toUInt64(result_count - kept_count)', 'results_trimmed')]),
  ];
}

function isPercentile({ kind }: HouseholdStatistic): boolean {
  return kind === 'percentile';
}

function percentile(percent: number): HouseholdStatistic {
  return { kind: 'percentile', percent };
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

/** The list of `households` in each bucket and series, for weighted statistics. */
export function householdPoints(query: HouseholdQuery, keys: readonly string[]): Step {
  const sorted = (value: string) =>
    `arraySort(point -> point.1, groupArrayIf((${value}, weight), is_counted))`;
  return {
    name: 'points',
    select: {
      columns: [
        ...keys,
        as(sorted('value'), 'points'),
        ...(query.report.consistent === undefined ? [] : [as(sorted('low_value'), 'low_points')]),
        as('sumIf(kept_count, is_counted)', 'samples'),
        as('countIf(is_counted)', 'agents'),
        as('uniqExactArrayIf(household_units, is_counted)', 'units'),
        ...leftOutSums(query),
      ],
      from: 'households',
      groupBy: keys,
      having: 'sum(seen) > 0',
    },
  };
}

function leftOutSums(query: HouseholdQuery): readonly Column[] {
  return leftOutOf(query).map(({ column }) => {
    if (column === 'households_below_minimum')
      return as('countIf(NOT is_counted AND seen > 0)', column);
    return as(
      column === 'results_trimmed' ? `sumIf(${column}, is_counted)` : `sum(${column})`,
      column,
    );
  });
}
