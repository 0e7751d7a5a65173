import { as, type Column, nameOf, type Step } from '../../../shared/sql/select.ts';
import type { HouseholdQuery } from './household-query.ts';
import { hasValue } from './report-results.ts';

/**
 * Steps to `per_household` without the results of switchers. Each stay of a household with an ISP and package is
 * aggregated on its own, then one of them is kept, so that the results are read only once.
 */
export function keptStaySteps(
  { report }: HouseholdQuery,
  keys: readonly string[],
  from: string,
  columns: readonly Column[],
): readonly Step[] {
  const names = columns.map(nameOf);
  const ofStay = 'OVER (PARTITION BY agent_key, stay)';
  const ofAgent = 'OVER (PARTITION BY agent_key)';
  // By local days with results, the later one of equally long.
  const isKept =
    report.switchers === 'longest'
      ? `stay_length = max(stay_length) ${ofAgent}`
      : `stay_length.1 > 0
    AND minIf(stay, stay_length.1 > 0) ${ofAgent}
        = maxIf(stay, stay_length.1 > 0) ${ofAgent}`;
  const length = `(uniqExactArray(stay_days) ${ofStay},\n    max(stay_end) ${ofStay}, stay)`;
  return [
    {
      name: 'per_stay',
      select: {
        columns: [
          ...keys,
          'agent_key',
          'stay',
          as(`groupUniqArrayIf(local_day, ${hasValue})`, 'stay_days'),
          as(`maxIf(ended_at, ${hasValue})`, 'stay_end'),
          ...columns,
        ],
        from,
        groupBy: [...keys, 'agent_key', 'stay'],
      },
    },
    {
      name: 'stays',
      select: {
        columns: [...keys, 'agent_key', 'stay', ...names, as(length, 'stay_length')],
        from: 'per_stay',
      },
    },
    {
      name: 'kept',
      select: { columns: [...keys, 'agent_key', ...names, as(isKept, 'is_kept')], from: 'stays' },
    },
    {
      name: 'per_household',
      select: {
        columns: [
          ...keys,
          'agent_key',
          ...names.map((name) =>
            name === 'seen' || name === 'without_value'
              ? as(`sum(${name})`, name)
              : as(`anyIf(${name}, is_kept)`, name),
          ),
          as('sumIf(seen, NOT is_kept)', 'results_of_switchers'),
        ],
        from: 'kept',
        groupBy: [...keys, 'agent_key'],
      },
    },
  ];
}
