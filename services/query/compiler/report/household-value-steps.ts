import type { Column, Step } from '../../../shared/sql/select.ts';
import { as } from '../../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../../request/metric-query.ts';
import type { Household, HouseholdStatistic, Report } from '../../request/report/report.ts';
import { midpointColumns, percentileAt, positionColumns } from '../weighted-percentiles.ts';
import { isFirst, leftOutOf, passesAll, resultReasons } from './left-out.ts';
import { afterSwitchers, readsWholeRange } from './report-results.ts';

// From the results to `households`: one row per bucket, series and household, with its value, its weight, and
// whether it counts. A household keeps its results as arrays, because its percentiles need all of them.

interface HouseholdQuery extends AggregateMetricQuery {
  readonly report: Report & { readonly household: Household };
}

export function hasHouseholds(query: AggregateMetricQuery): query is HouseholdQuery {
  return query.report?.household !== undefined;
}

export function householdValueSteps(
  query: HouseholdQuery,
  keys: readonly string[],
): readonly Step[] {
  const isTrimmed = query.report.household.trim !== undefined;
  return [
    ...(query.normalised ? [sharesStep(query, keys)] : []),
    perHousehold(query, keys, query.normalised ? 'shares' : afterSwitchers(query)),
    ...(isTrimmed ? boundsSteps(query, keys) : []),
    ...valueSteps(query, keys, isTrimmed ? 'bounded' : 'per_household'),
  ];
}

/** Whether the results of a household have different weights. */
function isWeighted({ normalised, metric }: HouseholdQuery): boolean {
  return normalised || metric.measure.kind === 'ratio';
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
function perHouseholdNames(query: HouseholdQuery): readonly string[] {
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

/** The results of a household over which its trim is computed, as an array of values. */
function boundedValues(query: HouseholdQuery): string {
  if (query.report.household.trim?.over === 'range' && readsWholeRange(query))
    return 'range_values';
  return isWeighted(query) ? 'household_results.1' : 'household_results';
}

// The bounds of a household are those of all its buckets and series together. They are a step of their own: in
// the lambda that compares results with them they would be computed for each result.
function boundsSteps(query: HouseholdQuery, keys: readonly string[]): readonly Step[] {
  const names = [...keys, ...perHouseholdNames(query)];
  if (keys.length === 0) {
    const bounds = `arrayReduce('quantilesExactInclusive(${levels(query)})', ${boundedValues(query)})`;
    const columns = ['agent_key', as(bounds, 'bounds'), ...names];
    return [{ name: 'bounded', select: { columns, from: 'per_household' } }];
  }
  return [
    {
      name: 'bounds',
      select: {
        columns: [
          'agent_key',
          as(`quantilesExactInclusiveArray(${levels(query)})(${boundedValues(query)})`, 'bounds'),
          as(`groupArray((\n    ${names.join(',\n    ')}))`, 'parts'),
        ],
        from: 'per_household',
        groupBy: ['agent_key'],
      },
    },
    {
      name: 'bounded',
      select: {
        columns: ['agent_key', 'bounds', ...names.map((name, i) => as(`part.${i + 1}`, name))],
        from: 'bounds',
        join: 'ARRAY JOIN parts AS part',
      },
    },
  ];
}

function levels({ report }: HouseholdQuery): string {
  const { low = null, high = null } = report.household.trim ?? {};
  return [low ?? 0, high ?? 100].map((percent) => percent / 100).join(', ');
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

function keptResults(query: HouseholdQuery): string {
  const { trim } = query.report.household;
  if (trim === undefined) return 'household_results';
  const value = isWeighted(query) ? 'result.1' : 'result';
  const conditions = [
    ...(trim.low === null ? [] : [`${value} >= bounds[1]`]),
    ...(trim.high === null ? [] : [`${value} <= bounds[2]`]),
  ];
  return `arrayFilter(result -> ${conditions.join(' AND ')}, household_results)`;
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
    ...(household.trim === undefined ? [] : [as('result_count - kept_count', 'results_trimmed')]),
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
