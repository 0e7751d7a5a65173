import { aggregates } from '../../../catalog/statistics.ts';
import { as, type Column, nameOf, type Step } from '../../../shared/sql/select.ts';
import { sortedPoints } from '../weighted-percentiles.ts';
import { weightedStatistics } from '../weighted-steps.ts';
import { hasHouseholdWeights, type HouseholdQuery } from './household-query.ts';
import { leftOutOf } from './left-out.ts';
import { householdPoints, plainHouseholdColumns } from './report-statistics.ts';

/** From `households` to `statistics`. */
export function overHouseholds(query: HouseholdQuery, keys: readonly string[]): readonly Step[] {
  return hasHouseholdWeights(query) ? weighted(query, keys) : [unweighted(query, keys)];
}

/** The value of a household that does not count is NULL. */
function unweighted(query: HouseholdQuery, keys: readonly string[]): Step {
  return {
    name: 'statistics',
    select: {
      columns: [
        ...keys,
        ...aggregates.map((aggregate) => as(aggregate.unweighted('value'), aggregate.name)),
        ...countColumns(query),
        ...plainHouseholdColumns(query.report),
      ],
      from: 'households',
      groupBy: keys,
      having: anyRow,
    },
  };
}

/** The households of each bucket and series become an array of values and weights. */
function weighted(query: HouseholdQuery, keys: readonly string[]): readonly Step[] {
  const sorted = (value: string) =>
    sortedPoints(`groupArrayIf((${value}, weight), is_counted)`, 'by pair');
  const counts = countColumns(query);
  return [
    {
      name: 'points',
      select: {
        columns: [
          ...keys,
          as(sorted('value'), 'points'),
          ...(query.report.consistent === undefined ? [] : [as(sorted('low_value'), 'low_points')]),
          ...counts,
        ],
        from: 'households',
        groupBy: keys,
        having: anyRow,
      },
    },
    ...weightedStatistics([...keys, ...counts.map(nameOf)], householdPoints(query.report)),
  ];
}

/** A bucket exists if it has a row in the window, even if its household is left out or has no value. */
const anyRow = 'sum(row_count) > 0';

function countColumns(query: HouseholdQuery): readonly Column[] {
  return [
    as('sumIf(kept_count, is_counted)', 'samples'),
    as('countIf(is_counted)', 'agents'),
    as('uniqExactArrayIf(household_units, is_counted)', 'units'),
    ...leftOutOf(query).map(({ column }) => as(`sum(${column})`, column)),
  ];
}
