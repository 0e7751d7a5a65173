import { studentT } from '../../../catalog/student-t.ts';
import { as, type Column, type Step } from '../../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../../request/metric-query.ts';
import type { Report } from '../../request/report/report.ts';
import { percentileAt } from '../weighted-percentiles.ts';
import type { ResultSource } from '../result-source.ts';
import type { WeightedPoints } from '../weighted-steps.ts';
import { hasHouseholdWeights, isOfHouseholds } from './household-query.ts';
import type { ResultReason } from './left-out.ts';
import { hasValue } from './report-results.ts';

// The statistics that only reports have. `share_values` are the shares at or above the thresholds, in their
// order; `household_error` is the standard error of the mean with households as the sample.

export function pooledSource(
  { report }: AggregateMetricQuery,
  reasons: readonly ResultReason[],
): ResultSource {
  const hasNulls = report !== undefined;
  const thresholds = report?.shares?.thresholds ?? [];
  const hasIntervals = report?.householdIntervals ?? false;
  const withoutValue = hasNulls ? [householdsWithoutValue] : [];
  return {
    from: hasNulls ? 'counted' : 'results',
    hasNulls,
    flags: hasNulls ? [...reasons.map(({ column }) => `is_${column}`), hasValue] : [],
    columns: reasons.map(({ column }) => as(`sum(is_${column})`, column)),
    blockColumns: hasNulls ? agentsOfBlock : [],
    plainColumns: [
      ...withoutValue,
      ...(thresholds.length === 0 ? [] : [as(plainShares(thresholds), 'share_values')]),
      ...(hasIntervals ? [as(agentSums('value', '1.', hasNulls), 'agent_sums')] : []),
    ],
    weightedColumns: [
      ...withoutValue,
      ...(hasIntervals
        ? [as(agentSums('value * own_weight', 'own_weight', hasNulls), 'agent_sums')]
        : []),
    ],
    normalisedColumns: [
      ...(hasNulls ? [withoutValueOfBlocks] : []),
      ...(hasIntervals ? [as(agentSumsOfBlocks, 'agent_sums')] : []),
    ],
    weightedStatistics: shareColumns(thresholds),
  };
}

/** Agents with rows, less those with a value. */
const householdsWithoutValue = as(
  `toUInt64(uniqExact(agent_key) - uniqExactIf(agent_key, ${hasValue}))`,
  'households_without_value',
);

/** An agent has rows in several blocks. */
const agentsOfBlock = [
  as('groupUniqArray(agent_key)', 'agents_with_rows'),
  as(`groupUniqArrayIf(agent_key, ${hasValue})`, 'agents_with_value'),
];

const withoutValueOfBlocks = as(
  'toUInt64(uniqExactArray(agents_with_rows) - uniqExactArray(agents_with_value))',
  'households_without_value',
);

/** Of the values of households with equal weights; NULL if the household does not count. */
export function plainHouseholdColumns({ shares, consistent }: Report): readonly Column[] {
  const thresholds = shares?.thresholds ?? [];
  return [
    ...(thresholds.length === 0 ? [] : [as(plainShares(thresholds), 'share_values')]),
    ...(consistent === undefined
      ? []
      : [
          as(
            `quantileExactInclusive(${consistent.households / 100})(low_value)`,
            'consistent_value',
          ),
        ]),
  ];
}

/** Of the weighted values of households. */
export function householdPoints(report: Report): WeightedPoints {
  const { shares, consistent } = report;
  return {
    order: 'by pair',
    prefixes: consistent === undefined ? [] : ['low_'],
    columns: [
      ...shareColumns(shares?.thresholds ?? []),
      ...(consistent === undefined
        ? []
        : [as(percentileAt(consistent.households / 100, 'low_'), 'consistent_value')]),
      as(householdError, 'household_error'),
    ],
  };
}

function plainShares(thresholds: readonly number[]): string {
  return listOf(thresholds.map((t) => `countIf(${reaches('value', t)}) / count(value)`));
}

function shareColumns(thresholds: readonly number[]): readonly Column[] {
  if (thresholds.length === 0) return [];
  const reached = (t: number) =>
    `arraySum((x, w) -> if(${reaches('x', t)}, w, 0), xs, ws) / total_weight`;
  return [as(listOf(thresholds.map(reached)), 'share_values')];
}

/** Nine decimals: 70.101 as a mean of results may differ from 70.101 in a request in the last digit. */
export function reaches(value: string, threshold: number): string {
  return `round(${value}, 9) >= round(${threshold}, 9)`;
}

/** One item per line. */
function listOf(items: readonly string[]): string {
  return `[\n    ${items.join(',\n    ')}\n]`;
}

/** For each agent: the sum of its weighted values, and of its weights. */
function agentSums(value: string, weight: string, hasNulls: boolean): string {
  if (!hasNulls) return `sumMap([agent_key], [${value}], [${weight}])`;
  const [known, knownWeight] = [value, weight].map((term) => `assumeNotNull(${term})`);
  return `sumMapIf([agent_key], [${known}], [${knownWeight}], isNotNull(value))`;
}

const agentSumsOfBlocks = `sumMap(block_agents,
    arrayMap((x, w) -> x * w, block_values, block_weights), block_weights)`;

/** Adds the standard error and the quantiles for intervals with households as the sample to the points. */
export function intervalStep(query: AggregateMetricQuery, from: string): readonly Step[] {
  const { report } = query;
  const hasIntervals = isOfHouseholds(query) || report?.householdIntervals === true;
  if (!hasIntervals || report?.overBuckets?.kind === 'share') return [];
  const error = isOfHouseholds(query) ? equalWeightsError : clusteredError;
  const columns = [
    '*',
    ...(hasHouseholdWeights(query) ? [] : [as(error, 'household_error')]),
    ...studentT('agents - 1').map(({ sql, name }) => as(sql, name)),
  ];
  return [{ name: 'intervals', select: { columns, from } }];
}

// One value per household: √( n / (n - 1) · Σ (x - m)² ) / n.
const equalWeightsError = 'if(agents < 2, NULL, deviation / sqrt(agents - 1))';

// Without values the mean is NULL, which arraySum refuses.
const clusteredError = `if(agents < 2, NULL,
    sqrt(agents / (agents - 1)
        * arraySum((s, t) -> pow(s - ifNull(mean, 0) * t, 2), agent_sums.2, agent_sums.3))
    / arraySum(agent_sums.3))`;

const householdError = `if(agents < 2, NULL,
    sqrt(agents / (agents - 1) * arraySum((x, w) -> pow(w * (x - mean), 2), xs, ws))
    / total_weight)`;
