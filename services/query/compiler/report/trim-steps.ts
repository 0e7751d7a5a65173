import { as, type Step } from '../../../shared/sql/select.ts';
import { type HouseholdQuery, isWeighted } from './household-query.ts';
import { hasOwnBounds, perHouseholdNames } from './per-household.ts';

/**
 * Adds `bounds`, two percentiles of the results of a household in all its buckets and series together. They are
 * a step of their own: in the lambda that compares results with them they would be computed for each result.
 */
export function boundsSteps(query: HouseholdQuery, keys: readonly string[]): readonly Step[] {
  const names = [...keys, 'household_results', ...perHouseholdNames(query)];
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

/** The results of a household over which its trim is computed, as an array of values. */
function boundedValues(query: HouseholdQuery): string {
  if (hasOwnBounds(query)) return 'bounded_values';
  return isWeighted(query) ? 'household_results.1' : 'household_results';
}

/** The results within the bounds. */
export function keptResults(query: HouseholdQuery): string {
  const { trim } = query.report.household;
  if (trim === undefined) return 'household_results';
  const value = isWeighted(query) ? 'result.1' : 'result';
  const conditions = [
    ...(trim.low === null ? [] : [`${value} >= bounds[1]`]),
    ...(trim.high === null ? [] : [`${value} <= bounds[2]`]),
  ];
  return `arrayFilter(result -> ${conditions.join(' AND ')}, household_results)`;
}
