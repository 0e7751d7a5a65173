import { as, type Column, step, type Step } from '../../../shared/sql/select.ts';
import type { Household, Trim } from '../../request/fields/household.ts';
import { aggregateIf, callIf } from '../aggregates.ts';
import { all } from '../conditions.ts';
import { flagsOf, type Plan, reasonsOfResults, type Stage } from '../stage.ts';
import { hasValue, inWindow } from './selection.ts';

export const trimBounds: Stage = {
  name: 'bounds of trim',
  of({ household }) {
    if (household?.trim === undefined) return undefined;
    const isOfRange = household.trim.over === 'range';
    return {
      dependsOn: ['other buckets'],
      needs: ['with other metadata', ...(isOfRange ? (['outside the window'] as const) : [])],
    };
  },
};

export const trim: Stage = {
  name: 'trim',
  of({ household }) {
    if (household?.trim === undefined) return undefined;
    const trimmed = 'toUInt64(result_count - kept_count)';
    const minimum = reachesMinimum(household);
    const column = 'results_trimmed';
    return {
      leavesOut: [{ column, name: 'resultsTrimmed', counts: 'results' }],
      household: {
        columns: () => [as(minimum === '1' ? trimmed : `if(${minimum}, ${trimmed}, 0)`, column)],
      },
    };
  },
};

/** SQL of whether a household has as many results and days as it needs, before the trim. */
export function reachesMinimum({ minResults, minDays }: Household): string {
  return all(
    ...(minResults > 0 ? [`result_count >= ${minResults}`] : []),
    ...(minDays > 0 ? [`household_days >= ${minDays}`] : []),
  );
}

interface TrimmedArrays {
  /** Of `per_household`. */
  readonly columns: readonly Column[];
  readonly steps: readonly Step[];
  /** SQL of the array of results that are kept. */
  readonly kept: string;
}

/** What a trim adds to the arrays of results, `household_results`. `value`, `counted`: SQL of a result. */
export function trimmedArrays(
  { uses, isWeighted, sides, householdKey }: Plan,
  { low, high, over }: Trim,
  value: string,
  counted: string,
): TrimmedArrays {
  const flags = flagsOf(uses).filter((flag) => flag === inWindow && over === 'window');
  const bounded = all(hasValue, ...flags, ...reasonsOfResults(uses).map(({ when }) => when.kept));
  const [values, ofResult] = isWeighted
    ? ['household_results.1', 'result.1']
    : ['household_results', 'result'];
  const levels = [low ?? 0, high ?? 100].map((percent) => percent / 100).join(', ');
  const ofBounds = bounded === counted ? values : 'bounded_values';
  // The rest has copies of the results of a household.
  const isOnce = sides !== undefined && sides.there === undefined ? 'side = 1' : '1';
  const [quantiles, args] = callIf('quantilesExactInclusiveArray', ofBounds, isOnce);
  const bounds = `${quantiles}(${levels})(${args})
    OVER (PARTITION BY ${householdKey.join(', ')})`;
  const conditions = all(
    ...(low === null ? [] : [`${ofResult} >= bounds[1]`]),
    ...(high === null ? [] : [`${ofResult} <= bounds[2]`]),
  );
  const why =
    'Two percentiles of all results of a household, in all its buckets and series together.';
  return {
    columns:
      bounded === counted ? [] : [as(aggregateIf('groupArray', value, bounded), 'bounded_values')],
    // A step of its own: in the lambda that compares results with the bounds they would be computed for each result.
    steps: [step('bounded', why, { columns: ['*', as(bounds, 'bounds')] })],
    kept: `arrayFilter(result -> ${conditions}, household_results)`,
  };
}
