import { as, type Column, step, type Step } from '../../../shared/sql/select.ts';
import type { MetricQuery } from '../../request/metric-query.ts';
import { aggregate, type PointAggregate } from '../aggregates.ts';
import { numberColumn } from '../number-columns.ts';
import { arrayOf, arraysOfHouseholds, type Asked, type Stage } from '../stage.ts';
import { arraysOfMidpoints } from '../weighted-percentiles.ts';
import { noNumber } from './privacy-floor.ts';
import { squaresWithinStrata, strataSteps } from './strata.ts';
import { errorOfReplicates, hasReplicates, replicateSteps } from './weight-replicates.ts';

/** The values of a point as arrays, by household, for standard errors with households as the sample. */
export const sample: Stage = {
  name: 'sample',
  of(asked, before) {
    if (!hasSample(asked)) return undefined;
    const isOfResults = asked.household === undefined;
    const hasStrata = asked.report?.strata !== undefined;
    const ofHouseholds = arraysOfHouseholds(before);
    return {
      statistics: {
        aggregates: isOfResults ? [resultsOfAgents(asked)] : [],
        unweighted: isOfResults ? [] : ascendingHouseholds(ofHouseholds),
        weighted: [...arraysOfMidpoints, 'total_weight', ...ofHouseholds.map(arrayOf)],
      },
      steps: () => [
        ...(isOfResults ? [byAgent(asked)] : []),
        ...(hasStrata ? strataSteps(isOfResults) : []),
        ...(hasReplicates(asked) ? replicateSteps : []),
      ],
      points: {
        numbers: () => (hasStrata ? [numberColumn('singleStrata', 'single_strata')] : []),
        aboveFloor: () => (hasStrata ? { single_strata: noNumber } : {}),
      },
    };
  },
};

/** Whether the statistics of a point need more of its values than their aggregates. */
export function hasSample(asked: Asked): boolean {
  const { report, hasHouseholdWeights } = asked;
  if (report === undefined || report.overBuckets?.kind === 'share') return false;
  const { householdIntervals, intervalsOf, shares, sharesAtMost, percentileRule } = report;
  return (
    hasHouseholdWeights ||
    householdIntervals ||
    intervalsOf.length > 0 ||
    percentileRule !== 'linear' ||
    (report.strata ?? report.compare) !== undefined ||
    ((shares ?? sharesAtMost) !== undefined && hasShareIntervals(asked))
  );
}

/** Shares of results have intervals if they are asked for: all results of a point are kept in memory for them. */
export function hasShareIntervals({ report, household }: Asked): boolean {
  const isOfPoints = report?.overBuckets?.kind !== 'share';
  return isOfPoints && (household !== undefined || report?.householdIntervals === true);
}

/** Whether the values of a point have different weights. */
export function hasWeights({ household, isWeighted, hasHouseholdWeights }: Asked): boolean {
  return household === undefined ? isWeighted : hasHouseholdWeights;
}

/** The values of households with equal weights. */
export function ascendingValues(prefix = ''): Column {
  return as(`arraySort(groupArrayIf(${prefix}value, is_counted))`, `${prefix}xs`);
}

/** With other columns of households, in the same order. */
function ascendingHouseholds(columns: readonly string[]): readonly Column[] {
  if (columns.length === 0) return [ascendingValues()];
  const household = ['assumeNotNull(value)', ...columns].join(', ');
  return [
    as(`arraySort(groupArrayIf((${household}), is_counted))`, 'households_of_point'),
    as('households_of_point.1', 'xs'),
    ...columns.map((column, i) => as(`households_of_point.${i + 2}`, arrayOf(column))),
  ];
}

function resultsOfAgents(asked: Asked): PointAggregate {
  const name = 'results_of_agents';
  if (asked.query.normalised) return { name, calls: [], sql: () => resultsOfBlocks };
  const columns = ['value', ...(hasWeights(asked) ? [ownWeight(asked.query)] : [])];
  const result = ['agent_key', ...columns.map((column) => `assumeNotNull(${column})`)].join(', ');
  return aggregate(name, 'groupArrayIf', `(${result}), isNotNull(value)`);
}

const resultsOfBlocks = `groupArrayArray(arrayZip(block_agents, block_values, block_weights))`;

function ownWeight({ metric }: MetricQuery): string {
  return metric.measure.kind === 'ratio' ? 'own_weight' : '1.';
}

function byAgent(asked: Asked): Step {
  const split = (column: number) =>
    `arraySplit((x, step) -> step != 0,
        sorted_results.${column}, arrayDifference(sorted_results.1))`;
  return step('by_agent', 'The results of a point by agent.', {
    columns: [
      '*',
      as('arraySort(result -> result.1, results_of_agents)', 'sorted_results'),
      as(split(2), 'values_of_agents'),
      hasWeights(asked)
        ? as(split(3), 'weights_of_agents')
        : as('arraySort(sorted_results.2)', 'xs'),
    ],
  });
}

/**
 * SQL of the standard error, with households as the sample, of the weighted mean of `number`: SQL over a value `x`. NULL
 * if there are too few. `mean`: SQL of that weighted mean.
 */
export function standardError(asked: Asked, number: string, mean: string): string {
  if (hasReplicates(asked)) return errorOfReplicates(`${number} - ${mean}`);
  const parts = partsOfHouseholds(asked, `${number} - ${mean}`);
  const squares =
    asked.report?.strata === undefined
      ? `agents / (agents - 1) * arraySum(z -> z * z,
            ${parts})`
      : squaresWithinStrata(parts);
  return `if(${hasTooFew(asked)}, NULL, sqrt(
        ${squares})
        / ${totalWeight(asked)})`;
}

/** SQL of whether there are too few households for a standard error. */
export function hasTooFew(asked: Asked): string {
  if (hasReplicates(asked)) return 'replicate_count < 2';
  const { report } = asked;
  return report?.strata === undefined ? 'agents < 2' : 'degrees < 1';
}

/** SQL of the degrees of freedom of the standard error. */
export function degreesOfFreedom(asked: Asked): string {
  if (hasReplicates(asked)) return 'replicate_count - 1';
  const { report } = asked;
  return report?.strata === undefined ? 'agents - 1' : 'degrees';
}

/** SQL of an array: the part of each household in the sum of a number times its weight. */
export function partsOfHouseholds(asked: Asked, number: string): string {
  const isWeighted = hasWeights(asked);
  if (asked.household !== undefined) {
    return isWeighted
      ? `arrayMap((x, w) -> w * (${number}), xs, ws)`
      : `arrayMap(x -> ${number}, xs)`;
  }
  return isWeighted
    ? `arrayMap((own_xs, own_ws) -> arraySum(
                    (x, w) -> w * (${number}), own_xs, own_ws),
                values_of_agents, weights_of_agents)`
    : `arrayMap(own_xs -> arraySum(
                    x -> ${number}, own_xs),
                values_of_agents)`;
}

/** SQL of the weighted mean of `number`: SQL over a value `x`. */
export function meanOf(asked: Asked, number: string): string {
  const sum = hasWeights(asked)
    ? `arraySum((x, w) -> w * ${number}, xs, ws)`
    : `arraySum(x -> ${number}, xs)`;
  return `${sum} / ${totalWeight(asked)}`;
}

/** (Σ w)² / Σ w² of the weights of households: how many of equal weight would give as narrow intervals. */
export function effectiveHouseholds(asked: Asked): string {
  if (asked.household !== undefined) return 'effective_count';
  const squares = hasWeights(asked)
    ? 'arraySum(own_ws -> pow(arraySum(own_ws), 2), weights_of_agents)'
    : 'arraySum(own_xs -> pow(length(own_xs), 2), values_of_agents)';
  return `pow(${totalWeight(asked)}, 2) / ${squares}`;
}

export function totalWeight(asked: Asked): string {
  return hasWeights(asked) ? 'total_weight' : 'length(xs)';
}
