import { as, type Column, step, type Step } from '../../../shared/sql/select.ts';
import type { Household, HouseholdStatistic } from '../../request/fields/household.ts';
import { aggregateIf } from '../aggregates.ts';
import { all } from '../conditions.ts';
import {
  flagsOf,
  furtherValues,
  type HouseholdValue,
  type Plan,
  reasonsOfResults,
  type Stage,
  valueOfResult,
} from '../stage.ts';
import { midpointColumns, percentileAt, sortedPoints } from '../weighted-percentiles.ts';
import { keptStaySteps, localDay } from './switchers.ts';
import { reachesMinimum, trimmedArrays } from './trim.ts';

const belowMinimum = {
  column: 'households_below_minimum',
  name: 'householdsBelowMinimum',
  counts: 'households',
} as const;

/** The results of an agent become one value. `agent_agg` is this stage with the mean. */
export const household: Stage = {
  name: 'household',
  of({ household: asked }) {
    if (asked === undefined) return undefined;
    return {
      results: { columns: asked.minDays > 0 ? [localDay] : [] },
      leavesOut: reachesMinimum(asked) === '1' ? [] : [belowMinimum],
      steps: (plan) => householdSteps({ ...plan, ...householdOf(plan, asked) }),
    };
  },
};

interface OfHousehold {
  readonly household: Household;
  /** SQL of whether a result is behind the value of its household, and of its value. */
  readonly counted: string;
  readonly value: string;
  readonly values: readonly HouseholdValue[];
  /** Percentiles of results with weights. */
  readonly needsMidpoints: boolean;
  /**
   * Whether a household keeps its results as an array: to compare them with the bounds of its trim, and for percentiles of
   * results with weights. Other statistics are aggregated at once, which is faster.
   */
  readonly keepsResults: boolean;
}

type HouseholdPlan = Plan & OfHousehold;

function householdOf({ uses, isWeighted }: Plan, asked: Household): OfHousehold {
  const value = valueOfResult(uses);
  const values = [{ prefix: '', statistic: asked.statistic }, ...furtherValues(uses)];
  const needsMidpoints =
    isWeighted && values.some(({ statistic }) => statistic.kind === 'percentile');
  return {
    household: asked,
    counted: all(...flagsOf(uses), ...reasonsOfResults(uses).map(({ when }) => when.kept)),
    // A value that is divided by a field is Nullable, and never NULL in a result that counts.
    value: value === 'value' ? value : `assumeNotNull(${value})`,
    values,
    needsMidpoints,
    keepsResults: asked.trim !== undefined || needsMidpoints,
  };
}

/** From the results to `households`: each has a value, a weight, and `is_counted`. */
function householdSteps(plan: HouseholdPlan): readonly Step[] {
  const { query, uses, counted, keys, household: asked } = plan;
  const switchers = query.report?.switchers ?? 'asOf';
  const ofResults = plan.keepsResults ? overArrays(plan) : overResults(plan);
  const columns = [
    ...ofResults.columns,
    as(aggregateIf('groupUniqArray', 'unit_id', counted), 'household_units'),
    ...(asked.minDays > 0
      ? [as(aggregateIf('uniqExact', 'local_day', counted), 'household_days')]
      : []),
    ...uses.flatMap(({ household: part }) => part?.aggregates?.(plan, counted) ?? []),
  ];
  const groupBy = [...keys, 'agent_key'];
  const why = 'One row per household, with what its results give.';
  return [
    ...(plan.keepsResults && query.normalised ? [sharesStep(plan)] : []),
    ...(switchers === 'asOf'
      ? [step('per_household', why, { columns: [...groupBy, ...columns], groupBy })]
      : keptStaySteps(switchers, plan, columns)),
    ...ofResults.steps,
    householdsStep(plan),
  ];
}

interface OverResults {
  /** Aggregates of a household. */
  readonly columns: readonly Column[];
  /** From these to its statistics. */
  readonly steps: readonly Step[];
}

/** The statistics of a household, aggregated at once. */
function overResults(plan: HouseholdPlan): OverResults {
  const { counted, value } = plan;
  const sqlOf = (statistic: HouseholdStatistic) => {
    switch (statistic.kind) {
      case 'mean':
        return meanOfResults(plan);
      case 'percentile':
        return aggregateIf(
          'quantileExactInclusive',
          value,
          counted,
          `(${statistic.percent / 100})`,
        );
      default:
        return aggregateIf(statistic.kind, value, counted);
    }
  };
  return {
    columns: [
      as(aggregateIf('count', '', counted), 'result_count'),
      ...plan.values.map(({ prefix, statistic }) => as(sqlOf(statistic), `own_${prefix}value`)),
    ],
    steps: [],
  };
}

/** The mean; for a ratio metric the ratio of sums. Normalised: the mean of those of each block. */
function meanOfResults({ query: { metric, normalised }, value, counted }: HouseholdPlan): string {
  const [call, args] =
    metric.measure.kind === 'ratio' ? ['avgWeighted', `${value}, own_weight`] : ['avg', value];
  if (!normalised) return aggregateIf(call, args, counted);
  // An array of one state per block. Blocks are numbered from 0. Grouping by block first takes two to three times as long.
  const blocks = `Resample(0, ${Math.ceil(24 / metric.everyHours)}, 1)`;
  const means =
    counted === '1'
      ? `${call}${blocks}(${args}, block)`
      : `${call}If${blocks}(${args},\n        ${counted}, block)`;
  return `arrayAvg(arrayFilter(mean -> NOT isNaN(mean),\n    ${means}))`;
}

/** Blocks have equal weights within a household. */
function sharesStep({ query, keys, counted }: HouseholdPlan): Step {
  const own = query.metric.measure.kind === 'value' ? '1' : 'own_weight';
  const group = [...keys, 'block', 'agent_key'];
  const partition = query.report?.switchers === 'asOf' ? group : [...group, 'stay'];
  const ofBlock = `OVER (PARTITION BY ${partition.join(', ')})`;
  const share = `${own} / ${aggregateIf('sum', own, counted)}\n    ${ofBlock}`;
  const why = 'The share of a result in its block: blocks have equal weights.';
  return step('shares', why, { columns: ['*', as(share, 'share')] });
}

/** The results of a household become an array, `household_results`, and then its values. */
function overArrays(plan: HouseholdPlan): OverResults {
  const { query, isWeighted, needsMidpoints, value, counted } = plan;
  const result = isWeighted ? `(${value}, ${query.normalised ? 'share' : 'own_weight'})` : value;
  const { trim } = plan.household;
  const trimmed = trim && trimmedArrays(plan, trim, value, counted);
  const kept = trimmed?.kept ?? 'household_results';
  const steps = [
    ...(trimmed?.steps ?? []),
    step('trimmed', 'The results of a household that are within its bounds.', {
      columns: [
        '*',
        as('length(household_results)', 'result_count'),
        as(needsMidpoints ? sortedPoints(kept, 'by pair') : kept, 'own_points'),
      ],
    }),
    ...(needsMidpoints
      ? [
          step('own_midpoints', 'The place of each result on the scale of weights.', {
            columns: ['*', ...midpointColumns('by pair', 'own_')],
          }),
        ]
      : []),
    step('own_statistics', 'The statistic of the results of each household.', {
      columns: [
        '*',
        as('length(own_points)', 'kept_count'),
        ...plan.values.map(({ prefix, statistic }) =>
          as(statisticOfArray(isWeighted, statistic), `own_${prefix}value`),
        ),
      ],
    }),
  ];
  const columns = [
    as(aggregateIf('groupArray', result, counted), 'household_results'),
    ...(trimmed?.columns ?? []),
  ];
  return { columns, steps };
}

/** A statistic of `own_points`. */
function statisticOfArray(weighted: boolean, statistic: HouseholdStatistic): string {
  const values = weighted ? 'own_points.1' : 'own_points';
  switch (statistic.kind) {
    case 'mean':
      return weighted
        ? 'arraySum(result -> result.1 * result.2, own_points) / arraySum(own_points.2)'
        : 'arrayAvg(own_points)';
    case 'min':
      return `arrayMin(${values})`;
    case 'max':
      return `arrayMax(${values})`;
    case 'percentile':
      return weighted
        ? percentileAt(statistic.percent / 100, 'own_')
        : `arrayReduce('quantileExactInclusive(${statistic.percent / 100})', own_points)`;
  }
}

function householdsStep(plan: HouseholdPlan): Step {
  const kept = plan.keepsResults ? 'kept_count' : 'result_count';
  const minimum = reachesMinimum(plan.household);
  const isMissed = `result_count > 0 AND NOT (${minimum})`;
  const why =
    minimum === '1'
      ? 'The value of each household.'
      : 'The value of each household, and whether it has enough results to count.';
  return step('households', why, {
    columns: [
      ...plan.keys,
      'household_units',
      as(kept, 'kept_count'),
      ...plan.uses.flatMap(({ household: part }) => part?.columns?.(plan) ?? []),
      // A household without any result is counted by the reasons that left out its results.
      ...(minimum === '1' ? [] : [as(isMissed, belowMinimum.column)]),
      ...(plan.report === undefined ? [] : [as(all(`${kept} > 0`, minimum), 'is_counted')]),
      ...plan.values.map(({ prefix }) => valueColumn(plan, `${prefix}value`)),
    ],
  });
}

/** In a report, the value of a household that does not count is NULL, unless a weight says so. */
function valueColumn({ report, uses, hasHouseholdWeights }: Plan, name: string): Column {
  const statistic = `own_${name}`;
  if (report === undefined) return as(statistic, name);
  const scaled = uses.find(({ household: part }) => part?.valueOfHousehold)?.household;
  // Rounding errors would separate equal households: ties are sorted by weight, and thresholds are compared.
  const rounded = `round(${scaled?.valueOfHousehold?.(statistic) ?? statistic}, 9)`;
  return as(hasHouseholdWeights ? rounded : `if(is_counted, ${rounded}, NULL)`, name);
}
