import { param, sql } from '../../../shared/sql/expression.ts';
import { as, step } from '../../../shared/sql/select.ts';
import { aggregateIf } from '../aggregates.ts';
import { arrayOf, type Asked, type Stage } from '../stage.ts';

/** The replicate weights of each household as of its last result that counts, divided by its weight. */
export const weightReplicates: Stage = {
  name: 'replicate weights',
  of({ query, report }) {
    const copy = report?.weightReplicates;
    if (copy === undefined) return undefined;
    const { organisationId } = query;
    // A comparison has the column already.
    const own = report?.compare === undefined ? ['agent_key'] : [];
    return {
      household: {
        aggregates: (_, counted) => [as(aggregateIf('max', 'ended_at', counted), 'last_ended_at')],
        columns: () => [...own, 'last_ended_at'],
      },
      statistics: {
        ofHousehold: ['factors'],
        before: () => [
          step('replicated', 'The replicate weights of each household, divided by its weight.', {
            columns: ['*'],
            join: sql`ASOF LEFT JOIN (
    SELECT agent_key AS replicated_agent, valid_from AS replicated_from, factors
    FROM weight_replicate
    WHERE organisation_id = ${param('organisation', 'UInt32', organisationId)} AND copy = ${param('copy', 'UUID', copy)}
) AS replicates ON replicated_agent = agent_key AND replicated_from <= last_ended_at`,
          }),
        ],
      },
    };
  },
};

/** Whether standard errors are those of replicates. */
export function hasReplicates({ report }: Asked): boolean {
  return report?.weightReplicates !== undefined;
}

/** `replicate_count` is 0 if a household has no replicates or other ones, or a replicate has no household. */
export const replicateSteps = [
  step('replicate_weights', 'The weights of the households of a point in each replicate.', {
    columns: [
      '*',
      as(
        `arrayMap((w, own) -> arrayMap(factor -> w * factor, own), ws, ${arrayOf('factors')})`,
        'replicate_weights',
      ),
      as("arrayReduce('sumForEach', replicate_weights)", 'replicate_totals'),
      as(
        `if(arrayUniq(arrayMap(own -> length(own), ${arrayOf('factors')})) = 1
        AND arrayMin(replicate_totals) > 0, length(replicate_totals), 0)`,
        'replicate_count',
      ),
    ],
  }),
];

/** SQL of an array: the weighted mean of `number`, SQL over a value `x`, in each replicate. */
function meansOfReplicates(number: string): string {
  return `arrayMap((sum, total) -> sum / total,
            arrayReduce('sumForEach', arrayMap(
                (x, own) -> arrayMap(w -> w * (${number}), own),
                xs, replicate_weights)),
            replicate_totals)`;
}

/** SQL of the standard error of the weighted mean of `number`, which is 0 for all households: (G − 1) / G · Σ m². */
export function errorOfReplicates(number: string): string {
  return `if(replicate_count < 2, NULL, sqrt(
        (replicate_count - 1) / replicate_count * arraySum(z -> z * z,
            ${meansOfReplicates(number)})))`;
}

/** SQL of an array whose squares add up to the square of that error. `factor`: SQL that each is multiplied by. */
export function partsOfReplicates(number: string, factor: string): string {
  return `arrayMap(z -> z * (${factor}) * sqrt((replicate_count - 1) / replicate_count),
        ${meansOfReplicates(number)})`;
}
