import { percentileNumbers } from '../../../catalog/statistics.ts';
import { as, nameOf, step, type Step } from '../../../shared/sql/select.ts';
import type { PointColumn } from '../compiled-query.ts';
import { bucketColumn } from '../bucket-column.ts';
import { allFlags, anyFlag } from '../conditions.ts';
import { tupleOf } from '../known-points.ts';
import { type NumberLists, shownIf } from '../number-columns.ts';
import type { Plan } from '../stage.ts';
import { hasReplicates } from '../stages/weight-replicates.ts';
import { levelOfMedian } from '../stages/percentile-intervals.ts';
import { bucketOfThere } from './bucket-of-side.ts';
import { addedColumns } from './added-columns.ts';
import { differenceSteps } from './differences.ts';
import { isOverTime, type Side, sideNames, sides } from './sides.ts';

interface PairedPoints {
  readonly steps: readonly Step[];
  /** The columns of the request's own side. */
  readonly own: readonly PointColumn[];
  /** What the comparison adds to them. */
  readonly added: readonly PointColumn[];
}

/** From the points of both sides to pairs of them. `columns`: the numbers and marks of a point. */
export function pairedPoints(
  plan: Plan,
  columns: readonly PointColumn[],
  lists: NumberLists,
): PairedPoints {
  const ofPair = (side: Side) => columns.map((column, i) => columnOfSide(side, column, i));
  const there = ofPair('there').map((column) => hiddenWithDifference(plan, column));
  return {
    steps: [sidesStep(plan, columns), pairedStep(plan), ...differenceSteps(plan)],
    own: ofPair('here'),
    added: addedColumns(plan, [...there, ...bucketOfCompared(plan)], lists),
  };
}

function sidesStep(plan: Plan, columns: readonly PointColumn[]): Step {
  return step(
    'sides',
    'The points of each side. `own`: their columns in the order of the answer.',
    {
      columns: [
        ...keysOfSides(plan),
        as(tupleOf(columns), 'own'),
        ...['agents', 'mean', 'household_error'],
        as(hasDensity(plan), 'has_density'),
        as(`quantiles[${percentileNumbers.indexOf(50) + 1}]`, 'median_value'),
        as(hiddenSide(plan), 'hidden'),
        as(isMaskedSide(plan), 'is_masked'),
        ...partsOfSide(plan),
        ...(hasReplicates(plan) ? ['replicate_count', ...replicates] : []),
      ],
    },
  );
}

function keysOfSides({ keys, splits }: Plan): readonly string[] {
  return [...keys, ...splits.flatMap(({ lookups }) => lookups).map(nameOf)];
}

function hiddenSide({ floor, report }: Plan): string {
  if (floor !== undefined) return 'NOT is_shown';
  const minimum = report?.minAgents ?? 0;
  return minimum === 0 ? '0' : `agents < ${minimum}`;
}

/** Whether values behind masks count on this side: then there is no difference. */
function isMaskedSide({ assumedKey }: Plan): string {
  return assumedKey.length === 0 ? '0' : 'masked_count > 0';
}

/** Whether the interval of the median gives the density of the values there. A privacy floor can hide it. */
function hasDensity(plan: Plan): string {
  const level = levelOfMedian(plan);
  return allFlags(
    'isNotNull(median_density)',
    ...(level === undefined ? [] : [`NOT has(${level.interval}, NULL)`]),
  );
}

/** Arrays in the order of `own_agents`. */
function partsOfSide({ query }: Plan): readonly string[] {
  const ofTime = ['here_values', 'here_weights', 'there_values', 'there_weights', 'plan_changes'];
  return [
    ...['own_agents', 'own_sides', 'mean_parts', 'median_parts'],
    ...(isOverTime(query) ? ofTime : []),
  ];
}

/** Arrays by replicate. */
const replicates = ['mean_replicates', 'median_replicates'];

function pairedStep(plan: Plan): Step {
  const keys = keysOfSides(plan).filter((key) => !plan.sideKey.includes(key));
  const ofSide = [
    { sql: 'agents', name: 'agents' },
    { sql: 'mean', name: 'mean' },
    { sql: 'median_value', name: 'median' },
    { sql: 'has_density', name: 'has_density' },
    { sql: 'household_error', name: 'error' },
    { sql: 'hidden', name: 'hidden' },
    { sql: 'is_masked', name: 'masked' },
    { sql: 'own', name: 'own' },
    ...(hasReplicates(plan) ? [{ sql: 'replicate_count', name: 'replicates' }] : []),
  ];
  return step('paired', 'One row per pair of points. Parts of households are added up by agent.', {
    columns: [
      ...keys,
      ...sideNames.flatMap((side) => {
        const of = `side = ${sides[side]}`;
        return [
          as(`countIf(${of}) > 0`, `has_${side}`),
          ...ofSide.map(({ sql: own, name }) => as(`anyIf(${own}, ${of})`, `${side}_${name}`)),
        ];
      }),
      as(`sumMap(${partsOfSide(plan).join(', ')})`, 'households'),
      ...(hasReplicates(plan)
        ? replicates.map((name) => as(`sumForEach(${name})`, `${name}_of_pair`))
        : []),
    ],
    groupBy: keys,
    ...(keys.length === 0 && { having: 'count() > 0' }),
  });
}

/** A number of a side. Without a point there it is null; a list or an object has nulls. */
function columnOfSide(side: Side, column: PointColumn, i: number): PointColumn {
  const own = `${side}_own.${i + 1}`;
  const other = `${side === 'here' ? 'there' : 'here'}_own.${i + 1}`;
  if (column.kind === 'boolean') return { ...column, sql: own };
  const isObject = column.kind === 'numbers' || column.kind === 'intervals';
  return shownIf(`has_${side}`, {
    ...column,
    sql: isObject ? `if(has_${side}, ${own}, ${other})` : own,
  });
}

/**
 * With a privacy floor, both points together would show the few households that only one of them has; and the rest of a
 * series that is hidden would show that series.
 */
function hiddenWithDifference({ floor, report }: Plan, column: PointColumn): PointColumn {
  if (floor === undefined) return column;
  const hides = report?.compare?.toRest === true ? anyFlag('has_few', 'here_hidden') : 'has_few';
  return column.kind === 'boolean'
    ? { ...column, sql: `CAST(${anyFlag('there_hidden', allFlags('has_there', hides))}, 'Bool')` }
    : shownIf(`NOT ${hides}`, column);
}

/** The time of the other side's bucket. Buckets that are numbers are the same on both sides. */
function bucketOfCompared({ query }: Plan): readonly PointColumn[] {
  const shifts = query.report?.compare?.shifts ?? [];
  return bucketColumn(query, (shownAs) => bucketOfThere(shifts, shownAs)).filter(
    ({ name }) => name === 'dtime',
  );
}
