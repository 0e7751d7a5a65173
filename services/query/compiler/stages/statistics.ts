import {
  aggregates,
  percentileNumbers,
  statistics as ofPoint,
} from '../../../catalog/statistics.ts';
import { as, type Column, step, type Step } from '../../../shared/sql/select.ts';
import { aggregate, atOnce, callIf, groupedBy, type PointAggregate } from '../aggregates.ts';
import type { PointColumn } from '../compiled-query.ts';
import { all } from '../conditions.ts';
import { type NumberLists, numberColumn } from '../number-columns.ts';
import {
  arrayOf,
  arraysOfHouseholds,
  type Asked,
  flagsOf,
  furtherValues,
  type Plan,
  reasonsOfResults,
  type Stage,
  type StatisticsPart,
  valueOfResult,
} from '../stage.ts';
import { midpointColumns, type PointOrder, sortedPoints } from '../weighted-percentiles.ts';
import { normalisedPoints } from './normalised-points.ts';
import { deviationShown, isOrdinary, noNumber } from './privacy-floor.ts';
import { cellResults, cellSteps } from './published-cells.ts';
import { hasValue } from './selection.ts';

/** One row per point, with the counts and the aggregates of services/catalog/statistics.ts. */
export const statistics: Stage = {
  name: 'statistics',
  of(asked) {
    const { query, household } = asked;
    const { stored } = query.metric;
    const kind = stored ? 'ofCells' : household ? 'ofHouseholds' : 'sql';
    const steps = { ofCells: cellSteps, ofHouseholds: overHouseholds, sql: overResults };
    return {
      ...(stored && { results: cellResults(stored) }),
      steps: steps[kind],
      points: {
        numbers: (lists) => [
          ...ofPoint.map((one) => numberColumn(one.name, one[kind] ?? one.sql)),
          ...percentileColumns(lists),
        ],
        aboveFloor: (floor) => ({
          lowest: noNumber,
          highest: noNumber,
          quantiles: ordinaryQuantiles(asked, floor),
          ...deviationAboveFloor(asked, floor),
        }),
      },
    };
  },
};

function percentileColumns(lists: NumberLists): readonly PointColumn[] {
  if (lists === 'columns') {
    return percentileNumbers.map((number, i) => numberColumn(`p${number}`, `quantiles[${i + 1}]`));
  }
  const names = percentileNumbers.map((number) => `'${number}'`).join(', ');
  return [{ name: 'percentiles', kind: 'numbers', sql: `mapFromArrays([${names}], quantiles)` }];
}

function ordinaryQuantiles(asked: Asked, floor: number): string {
  return `arrayMap(
        (quantile, percent) -> if(${isOrdinary(asked, 'percent', floor)}, quantile, NULL),
        quantiles, [${percentileNumbers.join(', ')}])`;
}

/**
 * The deviation is a sum of squares, and so is the interval of households. If their coefficients differ, both together
 * give the value of a household whose weight differs from that of the others.
 */
function deviationAboveFloor(asked: Asked, floor: number): Readonly<Record<string, string>> {
  const { report, household, hasHouseholdWeights } = asked;
  const hasOtherInterval =
    report?.strata !== undefined ||
    (household === undefined &&
      (report?.householdIntervals === true || report?.compare !== undefined));
  if (hasHouseholdWeights || hasOtherInterval) return { deviation: noNumber };
  return deviationShown('deviation', asked, floor);
}

/** The households of each point. */
function overHouseholds(plan: Plan): readonly Step[] {
  const isCounted = plan.report === undefined ? '1' : 'is_counted';
  const values: Values = {
    numbers: [
      aggregate('samples', ...callIf('sum', 'kept_count', isCounted)),
      aggregate('agents', ...callIf('count', '', isCounted)),
      aggregate('units', ...callIf('uniqExactArray', 'household_units', isCounted)),
      ...aggregatesOf(plan),
    ],
    // A bucket exists if it has a row in the window, even if its household is left out or has no value.
    ...(plan.report !== undefined && { having: 'sum(row_count) > 0' }),
  };
  const before = stepsBefore(plan);
  if (!plan.hasHouseholdWeights) return [...before, plainStep(plan, values)];
  const prefixes = ['', ...furtherValues(plan.uses).map(({ prefix }) => prefix)];
  const household = arraysOfHouseholds(plan.uses);
  const sorted = (...columns: readonly string[]) =>
    sortedPoints(`groupArrayIf((${columns.join(', ')}), is_counted)`, 'by pair');
  const steps = weightedSteps(plan, values, {
    order: 'by pair',
    points: prefixes.map((prefix) =>
      as(
        sorted(`${prefix}value`, 'weight', ...(prefix === '' ? household : [])),
        `${prefix}points`,
      ),
    ),
    prefixes,
    arrays: household.map((column, i) => as(`points.${i + 3}`, arrayOf(column))),
  });
  return [...before, ...steps];
}

function stepsBefore(plan: Plan): readonly Step[] {
  return parts(plan.uses).flatMap(({ before }) => before?.(plan) ?? []);
}

/** The results of each point. */
function overResults(plan: Plan): readonly Step[] {
  const hasNulls = plan.report !== undefined;
  const counted = hasNulls ? [countedStep(plan), ...stepsBefore(plan)] : [];
  const isCounted = hasNulls ? 'isNotNull(value)' : '1';
  const values: Values = {
    numbers: [
      aggregate('samples', 'count', hasNulls ? 'value' : ''),
      aggregate('agents', ...callIf('uniqExact', 'agent_key', isCounted)),
      aggregate('units', ...callIf('uniqExact', 'unit_id', isCounted)),
      ...aggregatesOf(plan),
    ],
  };
  if (plan.query.normalised) {
    const steps = normalisedPoints(plan, { hasNulls, aggregates: aggregatesOf(plan) });
    return [...counted, ...steps, ...statisticsOfPoints(plan, values, { order: 'by value' })];
  }
  if (!plan.isWeighted) return [...counted, plainStep(plan, values)];
  const pairs = hasNulls
    ? 'groupArrayIf((assumeNotNull(value), assumeNotNull(own_weight)), isNotNull(value))'
    : 'groupArray((value, own_weight))';
  const points = [as(sortedPoints(pairs, 'by value'), 'points')];
  return [...counted, ...weightedSteps(plan, values, { order: 'by value', points })];
}

/** The rows that points are computed of. */
interface Values {
  /** The numbers of results, agents and units, and what the stages add. */
  readonly numbers: readonly PointAggregate[];
  /** Absent: all points that have a row. */
  readonly having?: string;
}

/** The rows of the points of a report. The value of a result that is left out is NULL, and so is its own weight. */
function countedStep({ query, uses, keys }: Plan): Step {
  const reasons = reasonsOfResults(uses);
  const isCounted = all(hasValue, ...reasons.map(({ when }) => when.kept));
  const hasOwnWeight = query.metric.measure.kind === 'ratio';
  return step('counted', 'The results of the points: one that is left out has no value.', {
    columns: [
      ...new Set([...keys, 'agent_key', 'unit_id', ...(query.normalised ? ['block'] : [])]),
      as(`if(${isCounted}, ${valueOfResult(uses)}, NULL)`, 'value'),
      ...(hasOwnWeight ? [as(`if(${isCounted}, own_weight, NULL)`, 'own_weight')] : []),
      ...parts(uses).flatMap(({ ofResult }) => ofResult?.(isCounted) ?? []),
    ],
    where: flagsOf(uses).filter((flag) => flag !== hasValue),
  });
}

function parts(uses: Plan['uses']): readonly StatisticsPart[] {
  return uses.flatMap((use) => use.statistics ?? []);
}

function aggregatesOf({ uses }: Plan): readonly PointAggregate[] {
  return parts(uses).flatMap((part) => part.aggregates ?? []);
}

/** All values have equal weight. */
function plainStep(plan: Plan, values: Values): Step {
  return step('statistics', 'One row per point: the statistics of values of equal weight.', {
    columns: [
      ...plan.keys,
      ...aggregates.map(({ name, unweighted }) => as(unweighted('value'), name)),
      ...values.numbers.map(atOnce),
      ...parts(plan.uses).flatMap(({ unweighted = [] }) => unweighted),
    ],
    ...groupedBy(plan.keys, values.having),
  });
}

interface WeightedPoints {
  readonly order: PointOrder;
  /** Arrays of (value, weight), ascending: `points`, and `<prefix>points`. */
  readonly points: readonly Column[];
  readonly prefixes?: readonly string[];
  /** Further columns of the points, in the same order. */
  readonly arrays?: readonly Column[];
}

/** The values of a point become an array in ascending order, and one of weights. The last step divides by the total weight. */
function weightedSteps(plan: Plan, values: Values, points: WeightedPoints): readonly Step[] {
  return [
    step('points', 'The sorted values of each point, with their weights.', {
      columns: [...plan.keys, ...points.points, ...values.numbers.map(atOnce)],
      ...groupedBy(plan.keys, values.having),
    }),
    ...statisticsOfPoints(plan, values, points),
  ];
}

/** From `points` to `statistics`. */
function statisticsOfPoints(
  plan: Plan,
  { numbers }: Values,
  { order, prefixes = [''], arrays = [] }: Omit<WeightedPoints, 'points'>,
): readonly Step[] {
  const carried = [...plan.keys, ...numbers.map(({ name }) => name)];
  return [
    step('midpoints', 'The place of each value on the scale of cumulative weights.', {
      columns: [
        ...carried,
        ...prefixes.flatMap((prefix) => midpointColumns(order, prefix)),
        ...arrays,
      ],
    }),
    step('centred', 'The weighted mean.', {
      columns: [
        '*',
        as('arraySum(ws)', 'total_weight'),
        as('clamp(arraySum((x, w) -> x * w, xs, ws) / total_weight, xs[1], xs[-1])', 'mean'),
      ],
    }),
    step('statistics', 'One row per point: the statistics of weighted values.', {
      columns: [
        ...carried,
        ...aggregates.map(({ name, weighted }) => as(weighted, name)),
        ...parts(plan.uses).flatMap(({ weighted = [] }) => weighted),
      ],
    }),
  ];
}
