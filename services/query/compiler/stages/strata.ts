import { sql } from '../../../shared/sql/expression.ts';
import { as, step, type Step } from '../../../shared/sql/select.ts';
import { endedAtColumn, fieldValue } from '../field-value.ts';
import type { Stage } from '../stage.ts';
import { lastOfAgents, lastOfAgentsColumns } from './last-of-agents.ts';

/** The stratum of a household: the value of a field of its metadata as of its last result that counts. */
export const strata: Stage = {
  name: 'strata',
  of({ report, household, form }) {
    const field = report?.strata;
    if (field === undefined) return undefined;
    const stratum = sql`sipHash64(ifNull(${fieldValue(field, form)}, ''))`;
    return {
      results: { columns: [as(stratum, 'stratum'), endedAtColumn(form)], fields: [field] },
      ...(household === undefined
        ? { statistics: lastOfAgents('stratum') }
        : {
            household: {
              aggregates: (_, counted) => [
                as(`argMaxIf(stratum, ended_at,\n    ${counted})`, 'stratum'),
              ],
              columns: () => ['stratum'],
            },
            statistics: { ofHousehold: ['stratum'] },
          }),
    };
  },
};

/** `stratum_of` has the stratum of each household, `strata_sizes` the number of households of each stratum. */
export function strataSteps(isOfResults: boolean): readonly Step[] {
  return [
    step('strata', 'The number of households of each stratum.', {
      columns: [
        '*',
        ...(isOfResults ? lastOfAgentsColumns('stratum') : []),
        as('arrayDifference(arraySort(stratum_of))', 'strata_steps'),
        as(`arrayMap(own -> length(own), ${splitByStratum('strata_steps')})`, 'strata_sizes'),
        as('toInt64(agents) - length(strata_sizes)', 'degrees'),
        as('arrayCount(size -> size = 1, strata_sizes)', 'single_strata'),
      ],
    }),
  ];
}

/** Σ_h A_h / (A_h − 1) · Σ (z − z̄_h)² over the strata h. A household alone in its stratum is compared with 0. */
export function squaresWithinStrata(parts: string): string {
  const sorted = `arraySort((z, stratum) -> stratum,
                    ${parts},
                    stratum_of)`;
  return `arraySum(
            own -> if(length(own) = 1, pow(own[1], 2),
                length(own) * arrayReduce('varSampStable', own)),
            ${splitByStratum(sorted)})`;
}

function splitByStratum(list: string): string {
  return `arraySplit((item, step) -> step != 0,
                ${list},
                strata_steps)`;
}
