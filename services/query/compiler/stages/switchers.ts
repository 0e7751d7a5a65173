import { as, type Column, nameOf, step, type Step } from '../../../shared/sql/select.ts';
import type { Switchers } from '../../request/fields/points.ts';
import { endedAtColumn, type MetadataForm } from '../field-value.ts';
import type { Plan, Stage } from '../stage.ts';
import { hasValue } from './selection.ts';

/** A stay is the results of a household with one ISP and package. */
export const switchers: Stage = {
  name: 'switchers',
  of({ report, household, form }) {
    const kept = report?.switchers ?? 'asOf';
    if (kept === 'asOf') return undefined;
    const counted = { column: switched, name: 'resultsOfSwitchers', counts: 'results' } as const;
    const used = {
      dependsOn: ['other buckets'],
      needs: ['outside the window', 'with other metadata'],
      results: {
        columns: [endedAtColumn(form), localDay, as(stayOf(form), 'stay')],
        attributes: form === 'values' ? ['isp', 'package'] : ['plan_hash'],
      },
    } as const;
    // Households decide for each of their stays, after its results are one value.
    if (household !== undefined) {
      return { ...used, leavesOut: [counted], household: { columns: () => [switched] } };
    }
    return {
      ...used,
      leavesOut: [{ ...counted, when: { kept: 'is_kept', leftOut: 'NOT is_kept' } }],
      steps: ({ householdKey }, from) => [
        ...staySteps(kept, householdKey, [], []),
        step('kept', 'Marks the results of the stays that count.', {
          columns: [
            '*',
            as(
              `(${stayOfAgent(householdKey)}) IN (
    SELECT ${stayOfAgent(householdKey)} FROM stays WHERE is_kept)`,
              'is_kept',
            ),
          ],
          from,
        }),
      ],
    };
  },
};

/** The column of results that switchers leave out. */
const switched = 'results_of_switchers';

export const localDay = as('toDate(local_time)', 'local_day');

/** A hash of ISP and package, because results are grouped by it: only the few stays of one agent are compared. */
function stayOf(form: MetadataForm): string {
  return form === 'values'
    ? "sipHash64(ifNull(metadata.isp, ''), ifNull(metadata.package, ''))"
    : 'plan_hash';
}

/**
 * Steps to `stays`: one row per key, household and stay, with `is_kept`. The results are read only once. `columns`:
 * aggregates over the results of a stay.
 */
function staySteps(
  kept: Exclude<Switchers, 'asOf'>,
  householdKey: readonly string[],
  keys: readonly string[],
  columns: readonly Column[],
): readonly Step[] {
  const stay = [...new Set([...householdKey, ...keys, 'agent_key', 'stay'])];
  const names = columns.map(nameOf);
  const ofStay = `OVER (PARTITION BY ${stayOfAgent(householdKey)})`;
  const ofAgent = `OVER (PARTITION BY ${householdKey.join(', ')})`;
  const length = `(uniqExactArray(stay_days) ${ofStay},\n    max(stay_end) ${ofStay}, stay)`;
  const isKept = {
    longest: `stay_length = max(stay_length) ${ofAgent}`,
    drop: `stay_length.1 > 0
    AND minIf(stay, stay_length.1 > 0) ${ofAgent}
        = maxIf(stay, stay_length.1 > 0) ${ofAgent}`,
  };
  return [
    step('per_stay', 'Each stay of a household with one ISP and package on its own.', {
      columns: [
        ...stay,
        as(`groupUniqArrayIf(local_day, ${hasValue})`, 'stay_days'),
        as(`maxIf(ended_at, ${hasValue})`, 'stay_end'),
        ...columns,
      ],
      groupBy: stay,
    }),
    step('stay_lengths', 'A stay is as long as its local days with results, then by its end.', {
      columns: [...stay, ...names, as(length, 'stay_length')],
    }),
    step('stays', whyKept[kept], {
      columns: [...stay, ...names, as(isKept[kept], 'is_kept')],
    }),
  ];
}

function stayOfAgent(householdKey: readonly string[]): string {
  return [...householdKey, 'stay'].join(', ');
}

const whyKept = {
  longest: 'The longest stay of each household counts.',
  drop: 'Only households with one stay count.',
};

/** Steps to `per_household`, of the stays that count. Each stay is aggregated on its own, then one of them is kept. */
export function keptStaySteps(
  kept: Exclude<Switchers, 'asOf'>,
  { householdKey, keys }: Plan,
  columns: readonly Column[],
): readonly Step[] {
  const household = [...keys, 'agent_key'];
  return [
    ...staySteps(kept, householdKey, keys, columns),
    step('per_household', 'One row per household, with the results of its stay that counts.', {
      columns: [
        ...household,
        ...columns
          .map(nameOf)
          .map((name) =>
            ofAllStays.has(name) ? as(`sum(${name})`, name) : as(`anyIf(${name}, is_kept)`, name),
          ),
        as('sumIf(seen, NOT is_kept)', switched),
      ],
      groupBy: household,
    }),
  ];
}

/** Counts of rows, whether their stay counts or not. */
const ofAllStays: ReadonlySet<string> = new Set(['seen', 'without_value']);
