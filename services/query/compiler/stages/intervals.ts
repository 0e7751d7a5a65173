import { householdIntervals } from '../../../catalog/statistics.ts';
import { studentT } from '../../../catalog/student-t.ts';
import { as, step } from '../../../shared/sql/select.ts';
import type { MetricQuery } from '../../request/metric-query.ts';
import { aggregate, type PointAggregate } from '../aggregates.ts';
import { numberColumn } from '../number-columns.ts';
import type { Stage } from '../stage.ts';
import { deviationShown } from './privacy-floor.ts';

/** Intervals with households as the sample: `household_error` is the standard error of the mean. */
export const intervals: Stage = {
  name: 'intervals',
  of({ query, report, household, hasHouseholdWeights: isWeighted, hasFactors }) {
    const isAsked = report?.householdIntervals === true;
    const isOfHouseholds = household !== undefined;
    const isNeeded = report?.overBuckets?.kind !== 'share';
    if (!isNeeded || (!isOfHouseholds && !isAsked)) return undefined;
    const error = isOfHouseholds ? equalWeightsError : clusteredError;
    return {
      statistics: {
        aggregates: isOfHouseholds ? [] : [agentSums(query)],
        weighted: isWeighted ? [as(weightedError, 'household_error')] : [],
      },
      steps: () => [
        step('intervals', "The standard error with households as the sample, and Student's t.", {
          columns: [
            '*',
            ...(isWeighted ? [] : [as(error, 'household_error')]),
            ...studentT('agents - 1').map(({ sql, name }) => as(sql, name)),
          ],
        }),
      ],
      points: {
        numbers: () => [
          ...(isAsked ? householdIntervals.map(({ name, sql }) => numberColumn(name, sql)) : []),
          ...(isWeighted ? effectOfWeights : []),
        ],
        aboveFloor: (floor) => (hasFactors ? deviationShown('household_error', floor) : {}),
      },
    };
  },
};

const effectOfWeights = [
  numberColumn('effectiveHouseholds', 'effective_count'),
  numberColumn('designEffect', 'agents / effective_count'),
];

/** For each agent: the sum of its weighted values, and of its weights. */
function agentSums(query: MetricQuery): PointAggregate {
  if (query.normalised) return { name: 'agent_sums', calls: [], sql: () => agentSumsOfBlocks };
  const isRatio = query.metric.measure.kind === 'ratio';
  const [value, weight] = isRatio ? ['value * own_weight', 'own_weight'] : ['value', '1.'];
  return aggregate(
    'agent_sums',
    'sumMapIf',
    `[agent_key], [assumeNotNull(${value})], [assumeNotNull(${weight})], isNotNull(value)`,
  );
}

const agentSumsOfBlocks = `sumMap(block_agents,
    arrayMap((x, w) -> x * w, block_values, block_weights), block_weights)`;

// One value per household: √( n / (n - 1) · Σ (x - m)² ) / n.
const equalWeightsError = 'if(agents < 2, NULL, deviation / sqrt(agents - 1))';

/** Without values the mean is NULL, which arraySum refuses. */
const clusteredError = `if(agents < 2, NULL,
    sqrt(agents / (agents - 1)
        * arraySum((s, t) -> pow(s - ifNull(mean, 0) * t, 2), agent_sums.2, agent_sums.3))
    / arraySum(agent_sums.3))`;

const weightedError = `if(agents < 2, NULL,
    sqrt(agents / (agents - 1) * arraySum((x, w) -> pow(w * (x - mean), 2), xs, ws))
    / total_weight)`;
